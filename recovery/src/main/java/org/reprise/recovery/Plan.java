package org.reprise.recovery;

import java.util.OptionalLong;
import java.util.Set;

/**
 * Where checkpoints are to be taken in another execution of a run, and which messages are to be
 * logged there, so that any distributed breakpoint is reached soon.
 *
 * @param policy by which it was made
 * @param marks where checkpoints are taken
 * @param log which messages are kept
 */
public record Plan(Policy policy, Marks marks, MessageLog log) {
  /** The plan of a policy, where messages of the replay take no time. */
  public static Plan of(Timeline timeline, Period period, Policy policy) {
    return of(timeline, period, policy, 0);
  }

  /** The plan of a policy, where messages of the replay take so long. */
  public static Plan of(Timeline timeline, Period period, Policy policy, long latencyNanos) {
    return of(policy, policy.marks(timeline, period), policy.rules(), latencyNanos);
  }

  static Plan of(Policy policy, Marks marks, Set<LoggingRule> rules, long latencyNanos) {
    return new Plan(policy, marks, MessageLog.of(marks, rules, latencyNanos));
  }

  /**
   * How long it takes at most to reach a breakpoint, if what {@link Policy} assumes holds. T is the
   * longest interval, with all its waits.
   *
   * <ul>
   *   <li>MRT: 2 T (Thoai and Volkert 2003, Theorem 2).
   *   <li>ours: 2 T + D, where D is how far the marks of one index are apart. It has no rule 3.
   *   <li>ROS: none. The paper gives 2 T for the distance on each rank, but with the first
   *       condition of rule 2 alone a rank may have to go back two marks and more, as it sent
   *       something to a rank that has to go back itself.
   * </ul>
   */
  public OptionalLong boundNanos() {
    long twice = 2 * marks.longestNanos();
    return switch (policy) {
      case OURS -> OptionalLong.of(twice + marks.spreadNanos() + marks.timeline().driftNanos());
      case MRT -> OptionalLong.of(twice);
      case ROS -> OptionalLong.empty();
    };
  }
}
