package org.reprise.anomaly.agent.block;

/**
 * Where in the source tasks were forked, for reports.
 *
 * @param kind what was forked
 * @param place the program's own line, as {@code Solver.java:88}; empty if it is not known
 */
public record Origin(Kind kind, String place) {
  /** The constructs that fork. */
  public enum Kind {
    LOOP("loop"),
    TASK("task"),
    THREAD("thread"),
    STAGE("stage");

    private final String word;

    Kind(String word) {
      this.word = word;
    }

    public String word() {
      return word;
    }
  }

  public String text() {
    return place.isEmpty() ? kind.word() : kind.word() + " at " + place;
  }

  /** As "3 tasks forked at Solver.java:88". */
  public String count(long forks) {
    String all = forks + " " + kind.word() + (forks == 1 ? "" : "s");
    return place.isEmpty() ? all : all + " forked at " + place;
  }
}
