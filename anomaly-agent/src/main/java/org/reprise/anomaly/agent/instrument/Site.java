package org.reprise.anomaly.agent.instrument;

/**
 * A place in the program that accesses something: what a report shows as source or sink.
 *
 * @param className with dots
 * @param file the source file, or the class name where the class file does not say
 * @param line 0 where the class file does not say
 * @param variable what is accessed, as the source calls it: {@code Particle.x}, {@code grid[*]} for
 *     a row of {@code grid}; for a hazard what happens, such as {@code System.nanoTime()}
 * @param call the library method called, as {@code java/util/Map.put}; empty for fields and arrays
 */
public record Site(
    String className, String method, String file, int line, String variable, String call) {
  /** As stack traces print it. */
  public String place() {
    return line > 0 ? file + ":" + line : file;
  }

  /** The call without packages, as {@code Map.put}; empty for fields and arrays. */
  public String callText() {
    String name = call.substring(call.lastIndexOf('/') + 1);
    int use = name.indexOf(':');
    return use < 0 ? name : name.substring(0, use);
  }
}
