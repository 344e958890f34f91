package org.reprise.anomaly.agent.instrument.program;

import java.util.List;
import java.util.Optional;

/**
 * Which classes are instrumented: those whose name starts with an included prefix and with no
 * excluded or trusted one. Without included prefixes, all but the JDK's and Reprise's own.
 *
 * @param included prefixes of names with dots
 * @param trusted of classes that the user takes to compute the same on every schedule, though
 *     nobody checks them
 */
public record Scope(List<String> included, List<String> excluded, List<String> trusted) {
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
          "org.reprise.anomaly.report.",
          "org.reprise.anomaly.asm.");

  private static final List<String> OF_REPRISE = List.of("org.reprise.anomaly.");

  /**
   * What runs builds, tests and source files, and what they need for that: no part of what is
   * checked. The launcher of source files loads the program's classes, in blocks too.
   */
  private static final List<String> RUNNERS =
      List.of(
          "com.sun.tools.javac.launcher.",
          "org.apache.maven.",
          "org.codehaus.",
          "org.gradle.",
          "worker.org.gradle.",
          "org.junit.",
          "org.opentest4j.",
          "org.apiguardian.");

  public static Scope everything() {
    return new Scope(List.of(), List.of(), List.of());
  }

  /** Whether a class of Reprise has this name. */
  public static boolean isOfReprise(String className) {
    return beginsWithAny(className, OF_REPRISE);
  }

  /** Whether the class is of those that run tests. */
  public static boolean isRunner(String className) {
    return beginsWithAny(className, RUNNERS);
  }

  /** Whether a class of the JDK or of Reprise has this name. */
  public static boolean isLibrary(String className) {
    return beginsWithAny(className, NEVER);
  }

  public boolean contains(String className) {
    return !isLibrary(className)
        && (included.isEmpty() || beginsWithAny(className, included))
        && !beginsWithAny(className, excluded)
        && !beginsWithAny(className, trusted);
  }

  /**
   * Whether the class may take part in what runs in parallel although nobody checks what it does.
   */
  public boolean isOutside(String className) {
    return !isLibrary(className) && !contains(className) && !isRunner(className);
  }

  /** What the user calls the code that the class belongs to, if it is trusted. */
  public Optional<String> trustedAs(String className) {
    for (String prefix : trusted) {
      if (className.startsWith(prefix)) {
        return Optional.of(
            prefix.endsWith(".") ? prefix.substring(0, prefix.length() - 1) : prefix);
      }
    }
    return Optional.empty();
  }

  /** Why a class of the program is not instrumented, and what would change that. */
  public String complaint(String className) {
    for (String prefix : excluded) {
      if (className.startsWith(prefix)) {
        return className + " begins with '" + prefix + "' (exclude)";
      }
    }
    for (String prefix : trusted) {
      if (className.startsWith(prefix)) {
        return className + " begins with '" + prefix + "' (trusting)";
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
