package org.reprise.anomaly.agent.report;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What one run says about every schedule of the program on this input.
 *
 * @param anomalies findings that make the result depend on the schedule
 * @param lockOrdered accesses whose order a lock or an atomic operation leaves to chance
 * @param obstacles what else prevents validation
 * @param masked findings that the user declared intended
 * @param unmatched lines of the mask file that hide nothing
 * @param commuting variables whose concurrent updates commute
 * @param trusted code that took part unchecked, since the user trusts it
 */
public record Verdict(
    List<Finding> anomalies,
    List<Finding> lockOrdered,
    List<Obstacle> obstacles,
    List<Finding> masked,
    List<Mask.Entry> unmatched,
    List<String> commuting,
    List<String> trusted) {
  /** The three verdicts. */
  public enum Word {
    VALIDATED("validated"),
    ANOMALIES("anomalies"),
    NOT_VALIDATED("not validated");

    private final String text;

    Word(String text) {
      this.text = text;
    }

    public String text() {
      return text;
    }
  }

  public static Verdict of(Findings findings, Mask mask) {
    Collection<Finding> all = withoutMilder(findings.findings());
    List<Finding> shown = all.stream().filter(finding -> !mask.hides(finding)).toList();
    return new Verdict(
        shown.stream().filter(Finding::isAnomaly).toList(),
        shown.stream().filter(finding -> !finding.isAnomaly()).toList(),
        List.copyOf(findings.obstacles()),
        all.stream().filter(mask::hides).toList(),
        mask.unmatched(all),
        findings.commuting().stream()
            .filter(name -> all.stream().noneMatch(finding -> finding.variable().equals(name)))
            .toList(),
        List.copyOf(findings.trusted()));
  }

  /** Two statements that nothing orders at times are not shown again for when something does. */
  private static List<Finding> withoutMilder(Collection<Finding> findings) {
    Set<String> anomalies =
        findings.stream().filter(Finding::isAnomaly).map(Finding::pair).collect(Collectors.toSet());
    return findings.stream()
        .filter(finding -> finding.isAnomaly() || !anomalies.contains(finding.pair()))
        .toList();
  }

  public Word word() {
    if (!anomalies.isEmpty()) {
      return Word.ANOMALIES;
    }
    return lockOrdered.isEmpty() && obstacles.isEmpty() ? Word.VALIDATED : Word.NOT_VALIDATED;
  }
}
