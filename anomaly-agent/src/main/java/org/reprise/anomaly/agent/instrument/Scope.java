package org.reprise.anomaly.agent.instrument;

import java.util.List;

/**
 * Which classes are instrumented: those whose name starts with an included prefix and with no
 * excluded one. Without included prefixes, all but the JDK's and Reprise's own.
 *
 * @param included prefixes of names with dots
 */
public record Scope(List<String> included, List<String> excluded) {
  private static final List<String> NEVER =
      List.of(
          "java.",
          "javax.",
          "jdk.",
          "sun.",
          "com.sun.",
          "org.reprise.anomaly.agent.",
          "org.reprise.anomaly.hooks.",
          "org.reprise.anomaly.junit.",
          "org.reprise.anomaly.asm.");

  public static Scope everything() {
    return new Scope(List.of(), List.of());
  }

  /** Whether a class of the JDK or of Reprise has this name. */
  public static boolean isLibrary(String className) {
    return beginsWithAny(className, NEVER);
  }

  public boolean contains(String className) {
    return !isLibrary(className)
        && (included.isEmpty() || beginsWithAny(className, included))
        && !beginsWithAny(className, excluded);
  }

  /** Why a class of the program is not instrumented, and what would change that. */
  public String complaint(String className) {
    for (String prefix : excluded) {
      if (className.startsWith(prefix)) {
        return className + " begins with '" + prefix + "' (exclude)";
      }
    }
    String prefix = className.substring(0, className.lastIndexOf('.') + 1);
    return "%s does not begin with '%s' (include); '%s' would match it"
        .formatted(
            className, String.join("' or '", included), prefix.isEmpty() ? className : prefix);
  }

  /**
   * Without a stream or a lambda: it is asked while any class is being loaded, and a class that
   * those need may be that very one, which the virtual machine refuses as circular.
   */
  private static boolean beginsWithAny(String className, List<String> prefixes) {
    for (String prefix : prefixes) {
      if (className.startsWith(prefix)) {
        return true;
      }
    }
    return false;
  }
}
