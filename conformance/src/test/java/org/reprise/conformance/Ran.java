package org.reprise.conformance;

import java.util.List;

/** A command that has ended: what it was, its exit status, and what it wrote. */
record Ran(String command, int status, String out, String err) {
  private static final String OURS = "reprise: ";

  /** What Reprise itself said, line by line; its own lines begin so, also in between others. */
  List<String> told() {
    return err.lines()
        .filter(line -> line.contains(OURS))
        .map(line -> line.substring(line.indexOf(OURS) + OURS.length()))
        .toList();
  }

  /** {@link #told}, as one text. */
  String said() {
    return String.join("\n", told());
  }

  boolean saysSameOrder() {
    return told().stream().anyMatch(line -> line.startsWith("same order"));
  }

  @Override
  public String toString() {
    return "$ %s%nstatus %d%n%s%n%s".formatted(command, status, out, err);
  }
}
