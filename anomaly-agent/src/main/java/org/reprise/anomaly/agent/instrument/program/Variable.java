package org.reprise.anomaly.agent.instrument.program;

/**
 * A field that instrumented code accesses, by the class that declares it. Two classes of one name
 * in different loaders share it; their objects differ, and so do their shadows.
 *
 * @param className with dots
 * @param isVolatile a volatile field: its accesses are checked like others and named differently
 */
public record Variable(String className, String field, boolean isStatic, boolean isVolatile) {
  /** As reports show it: the class without its package, and the field. */
  public String text() {
    return className.substring(className.lastIndexOf('.') + 1).replace('$', '.') + "." + field;
  }
}
