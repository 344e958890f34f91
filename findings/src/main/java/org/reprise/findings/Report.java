package org.reprise.findings;

import java.util.List;

/**
 * What was found in a run.
 *
 * @param subject what was looked at: the name of the run
 * @param findings the weightiest first
 * @param suppressed how many findings the user does not want to see
 * @param notes what limits what is said here, a sentence each
 * @param clear what it means if nothing was found
 */
public record Report(
    String subject, List<Finding> findings, int suppressed, List<String> notes, Clear clear) {
  /**
   * What it means if nothing was found.
   *
   * @param words as a sentence
   * @param withheld why nothing is claimed about other runs; empty if something is
   */
  public record Clear(String words, List<String> withheld) {
    public Clear {
      withheld = List.copyOf(withheld);
    }
  }

  public Report {
    findings = List.copyOf(findings);
    notes = List.copyOf(notes);
  }

  /** What is said where nothing is left to show. */
  String nothing() {
    return suppressed > 0
        ? "nothing found besides what is suppressed."
        : "nothing found. " + clear.words;
  }

  /** One word for a script: whether something was found, may be there all the same, or is not. */
  String verdict() {
    return findings.size() + suppressed > 0
        ? "races"
        : clear.withheld.isEmpty() ? "one-order" : "open";
  }

  /** The same without what the user does not want to see. */
  public Report without(Suppressions suppressions) {
    List<Finding> left = findings.stream().filter(f -> !suppressions.cover(f)).toList();
    return new Report(subject, left, suppressed + findings.size() - left.size(), notes, clear);
  }
}
