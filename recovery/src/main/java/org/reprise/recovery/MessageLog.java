package org.reprise.recovery;

import java.util.BitSet;
import java.util.Set;
import org.reprise.causality.Deliveries;
import org.reprise.causality.EventTable;
import org.reprise.causality.Pairing;

/**
 * The messages of a run that a plan logs. Of a collective the result is logged that a rank got,
 * whole, if a rule asks for what one of the others contributed. A message is logged if its receive
 * asks for it or a probe that saw it.
 */
public final class MessageLog {
  private final EventTable events;
  private final Deliveries deliveries;
  private final BitSet messages = new BitSet();

  /** Calls of collectives, by the event at whose return the rank had the result. */
  private final BitSet results = new BitSet();

  /** Events whose returns get what they got from the log. */
  private final BitSet logged = new BitSet();

  private final long collectives;
  private final long sent;
  private long bytes;
  private long resultBytes;
  private final long[] byRule = new long[LoggingRule.values().length];

  private MessageLog(Marks marks, Set<LoggingRule> rules, long latencyNanos) {
    Timeline timeline = marks.timeline();
    events = timeline.events();
    deliveries = timeline.deliveries();
    Pairing pairing = timeline.graph().pairing();
    sent = pairing.messages();
    Test test = new Test(marks, rules, latencyNanos);
    long ended = 0;
    for (int rank = 0; rank < timeline.ranks(); rank++) {
      int first = events.first(rank);
      for (int event = first; event < first + timeline.end(rank); event++) {
        int message = timeline.gets(event) ? deliveries.message(event) : Pairing.NONE;
        if (message >= 0) {
          if (!messages.get(message) && test.logs(event)) {
            messages.set(message);
            bytes += events.bytes(pairing.send(message));
          }
        } else if (deliveries.collective(event) >= 0) {
          ended++;
          if (test.logs(event)) {
            results.set(event);
            timeline.sources(event, source -> resultBytes += events.bytes(source));
          }
        }
      }
    }
    collectives = ended;
    for (int rank = 0; rank < timeline.ranks(); rank++) {
      int first = events.first(rank);
      for (int event = first; event < first + timeline.end(rank); event++) {
        int message = timeline.gets(event) ? deliveries.message(event) : Pairing.NONE;
        if (message >= 0 ? messages.get(message) : results.get(event)) {
          logged.set(event);
        }
      }
    }
  }

  /**
   * What rules ask for.
   *
   * @param latencyNanos how long a message takes in the replay, which rule 3 counts
   */
  static MessageLog of(Marks marks, Set<LoggingRule> rules, long latencyNanos) {
    return new MessageLog(marks, rules, latencyNanos);
  }

  /** Looks at one delivery after the other. */
  private final class Test {
    private final Marks marks;
    private final Set<LoggingRule> rules;
    private final long latencyNanos;
    private final Knowledge knowledge;
    private boolean logged;

    Test(Marks marks, Set<LoggingRule> rules, long latencyNanos) {
      this.marks = marks;
      this.rules = rules;
      this.latencyNanos = latencyNanos;
      knowledge = new Knowledge(marks);
    }

    boolean logs(int event) {
      logged = false;
      int to = events.rank(event);
      int index = marks.index(event);
      marks.timeline().sources(event, source -> logged |= logs(source, event, to, index));
      return logged;
    }

    private boolean logs(int source, int event, int p, int index) {
      int q = events.rank(source);
      int sentIn = marks.index(source);
      LoggingRule why = null;
      if (sentIn < index) {
        why = LoggingRule.IN_TRANSIT;
      } else if (rules.contains(LoggingRule.TWO_STEPS) && !knowledge.isAtMostOneStep(q, p, index)) {
        why = LoggingRule.TWO_STEPS;
      } else if (rules.contains(LoggingRule.THIRD_RANK)
          && !knowledge.isKnownToThirds(q, p, index)) {
        why = LoggingRule.THIRD_RANK;
      } else if (rules.contains(LoggingRule.ELAPSED)
          && marks.sinceMark(source) + latencyNanos > marks.untilReturn(event)) {
        why = LoggingRule.ELAPSED;
      }
      if (why == null || !rules.contains(why)) {
        return false;
      }
      if (!logged) {
        byRule[why.ordinal()]++;
      }
      return true;
    }
  }

  /** Whether what an event's return gave to the program comes from the log. */
  public boolean has(int event) {
    return logged.get(event);
  }

  public boolean hasMessage(int message) {
    return messages.get(message);
  }

  /** How many messages are logged. */
  public long messages() {
    return messages.cardinality();
  }

  /** How many were sent. */
  public long sent() {
    return sent;
  }

  /** Their share of all messages, from 0 to 1. */
  public double share() {
    return sent == 0 ? 0 : (double) messages() / sent;
  }

  /** Bytes of the messages that are logged. */
  public long bytes() {
    return bytes;
  }

  /** How many results of collectives are logged. */
  public long results() {
    return results.cardinality();
  }

  /** How many calls of collectives had a result. */
  public long collectives() {
    return collectives;
  }

  /**
   * Bytes of those results at most: what the others contributed. Of a reduction less comes of it.
   */
  public long resultBytes() {
    return resultBytes;
  }

  /** How many messages and results a rule was the first to ask for. */
  public long by(LoggingRule rule) {
    return byRule[rule.ordinal()];
  }
}
