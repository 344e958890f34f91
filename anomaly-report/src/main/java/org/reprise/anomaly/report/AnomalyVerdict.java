package org.reprise.anomaly.report;

import java.util.Collection;
import java.util.List;
import java.util.function.Function;

/**
 * What a run says about every schedule of the program on this input.
 *
 * @param anomalies conflicts that make the result depend on the schedule
 * @param lockOrdered accesses whose order a lock or an atomic operation leaves to the schedule
 * @param obstacles what else prevents validation
 * @param masked conflicts that the user declared intended
 * @param unmatched lines of the mask file that hide nothing
 * @param commuting variables whose concurrent updates commute
 * @param trusted code that took part unchecked, since the user trusts it
 */
public record AnomalyVerdict(
    List<Conflict> anomalies,
    List<Conflict> lockOrdered,
    List<Obstacle> obstacles,
    List<Conflict> masked,
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

  /**
   * The verdict on a run of several virtual machines. A line of the mask file that one of them
   * needed has hidden something.
   */
  public static AnomalyVerdict ofAll(List<AnomalyVerdict> verdicts) {
    return new AnomalyVerdict(
        all(verdicts, AnomalyVerdict::anomalies),
        all(verdicts, AnomalyVerdict::lockOrdered),
        all(verdicts, AnomalyVerdict::obstacles),
        all(verdicts, AnomalyVerdict::masked),
        all(verdicts, AnomalyVerdict::unmatched).stream()
            .distinct()
            .filter(entry -> verdicts.stream().allMatch(one -> one.unmatched.contains(entry)))
            .toList(),
        all(verdicts, AnomalyVerdict::commuting).stream().distinct().sorted().toList(),
        all(verdicts, AnomalyVerdict::trusted).stream().distinct().sorted().toList());
  }

  private static <T> List<T> all(
      Collection<AnomalyVerdict> verdicts, Function<AnomalyVerdict, List<T>> part) {
    return verdicts.stream().flatMap(verdict -> part.apply(verdict).stream()).toList();
  }

  public Word word() {
    if (!anomalies.isEmpty()) {
      return Word.ANOMALIES;
    }
    return lockOrdered.isEmpty() && obstacles.isEmpty() ? Word.VALIDATED : Word.NOT_VALIDATED;
  }
}
