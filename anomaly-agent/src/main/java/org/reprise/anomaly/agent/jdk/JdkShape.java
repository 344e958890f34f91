package org.reprise.anomaly.agent.jdk;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * What one class of the JDK must have for its forks and joins to be followed. A JDK that is built
 * in another way is not followed wrongly but named, and then nothing is validated.
 */
final class JdkShape {
  private final String className;
  private final Set<Point> found = EnumSet.noneOf(Point.class);
  private final Set<String> wanted;
  private final Set<String> replaced = new TreeSet<>();

  /**
   * The shape of a class.
   *
   * @param wanted what else is changed in the class, by name
   */
  JdkShape(String className, Set<String> wanted) {
    this.className = className;
    this.wanted = wanted;
  }

  void found(Point point) {
    found.add(point);
  }

  void replaced(String what) {
    replaced.add(what);
  }

  /** What the class does not have: of each point one method is enough. */
  List<String> missing() {
    Set<String> missing = new TreeSet<>(wanted);
    missing.removeAll(replaced);
    for (Point point : Point.values()) {
      if (point.owner().equals(className)
          && !Families.ALL.contains(className)
          && !point.methods().isEmpty()
          && !found.contains(point)) {
        missing.add(String.join(" or ", new TreeSet<>(point.methods())));
      }
    }
    return List.copyOf(missing);
  }
}
