package org.reprise.recovery;

import org.reprise.causality.EventTable;

/**
 * How long the way from a recovery line to its breakpoint takes. All ranks start at once. Each does
 * its own work again, as long as that took in the run; calls that waited for others take no time of
 * their own, but return only when what they get was sent again. What the log has is there.
 */
public final class Replay extends CausalWalk {
  private final RecoveryLine line;
  private final Timeline timeline;
  private final EventTable events;
  private final long latencyNanos;
  private final long[] clock;

  /** By rank and event behind the line: when its call was entered. */
  private final long[][] entered;

  private final boolean whole;

  private Replay(RecoveryLine line, long latencyNanos) {
    super(line.plan().marks().timeline(), positions(line));
    this.line = line;
    this.latencyNanos = latencyNanos;
    timeline = line.plan().marks().timeline();
    events = timeline.events();
    clock = new long[timeline.ranks()];
    entered = new long[timeline.ranks()][];
    for (int rank = 0; rank < entered.length; rank++) {
      entered[rank] = new long[line.breakpoint().begun(rank) - line.position(rank)];
    }
    whole = to(line.breakpoint());
  }

  /** The replay from a line; messages that are sent again take so long. */
  public static Replay of(RecoveryLine line, long latencyNanos) {
    return new Replay(line, latencyNanos);
  }

  private static int[] positions(RecoveryLine line) {
    int[] positions = new int[line.plan().marks().timeline().ranks()];
    for (int rank = 0; rank < positions.length; rank++) {
      positions[rank] = line.position(rank);
    }
    return positions;
  }

  @Override
  boolean isNeeded(int event) {
    return !line.plan().log().has(event);
  }

  @Override
  void enter(int rank, int event) {
    int number = event - events.first(rank);
    if (number > line.position(rank) && timeline.callStart(event) == event) {
      clock[rank] += timeline.entry(event) - timeline.exit(event - 1);
    }
    entered[rank][number - line.position(rank)] = clock[rank];
  }

  @Override
  void leave(int rank, int event) {
    if (isNeeded(event)) {
      timeline.sources(
          event,
          source -> {
            int from = events.rank(source);
            int place = source - events.first(from) - line.position(from);
            clock[rank] = Math.max(clock[rank], entered[from][place] + latencyNanos);
          });
    }
    if (timeline.callEnd(event) == event && !timeline.waits(event)) {
      clock[rank] += timeline.exit(event) - timeline.entry(event);
    }
  }

  /** Whether the breakpoint is reached; it is, unless the breakpoint is not consistent. */
  public boolean isWhole() {
    return whole;
  }

  /** How long a rank takes. */
  public long nanos(int rank) {
    return clock[rank];
  }

  /** How long it takes until all ranks are there. */
  public long nanos() {
    long most = 0;
    for (long one : clock) {
      most = Math.max(most, one);
    }
    return most;
  }
}
