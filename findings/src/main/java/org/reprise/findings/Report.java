package org.reprise.findings;

import java.util.List;

/**
 * What was found in a run.
 *
 * @param subject what was looked at: the name of the run, or the command
 * @param findings the weightiest first, without those that the user does not want to see
 * @param suppressed how many these are
 * @param notes what limits what is said here, a sentence each
 */
public record Report(
    String subject, List<Finding> findings, int suppressed, List<String> notes, Verdict verdict) {
  /**
   * What follows from it.
   *
   * @param word for a script
   * @param sentence for people; the last line of a report
   * @param withheld why nothing is claimed about other runs; empty if something is
   */
  public record Verdict(String word, String sentence, List<String> withheld) {
    public Verdict {
      withheld = List.copyOf(withheld);
    }
  }

  public Report {
    findings = List.copyOf(findings);
    notes = List.copyOf(notes);
  }

  /** The verdict, and how many findings are shown if these are not all. */
  public String summary(int limit) {
    return verdict.sentence + (findings.size() > limit ? ", " + limit + " shown" : "");
  }
}
