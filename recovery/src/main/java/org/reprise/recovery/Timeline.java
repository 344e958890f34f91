package org.reprise.recovery;

import java.util.Arrays;
import java.util.BitSet;
import java.util.function.IntConsumer;
import org.reprise.causality.Deliveries;
import org.reprise.causality.EventGraph;
import org.reprise.causality.EventTable;
import org.reprise.trace.events.EventFlag;

/**
 * When the calls of a run were entered and left, by one clock for all ranks. Clocks of ranks are
 * brought together by the messages: each rank's is shifted, as little as possible, until no message
 * was received before it was sent. Where that cannot be done, as clocks drifted, {@link
 * #driftNanos} says by how much a message still seems to arrive too early.
 *
 * <p>A <em>position</em> of a rank is a moment between two calls: how many of its events lie before
 * it. Events that are one call of the program, as those of MPI_Waitall, have no position between
 * them.
 */
public final class Timeline {
  private final EventGraph graph;
  private final EventTable events;
  private final Deliveries deliveries;

  /** Events that are the same call as the next one. */
  private final BitSet joined = new BitSet();

  /** By event: the send whose message its return gave to the program, NONE, or SEVERAL. */
  private final int[] source;

  /** In place of a send: the contributions to a collective. */
  private static final int SEVERAL = -2;

  /** Calls whose time is a wait, by their last event. */
  private final BitSet waiting = new BitSet();

  private final long[] shift;
  private final long driftNanos;

  private Timeline(EventGraph graph, long[] originNanos) {
    this.graph = graph;
    events = graph.events();
    deliveries = graph.deliveries();
    for (int rank = 0; rank < events.ranks(); rank++) {
      int end = events.first(rank) + graph.size(rank);
      for (int event = events.first(rank); event < end; event++) {
        // The last event of a rank that was killed may be one of several, and ends the call.
        if (event + 1 < end && events.is(event, EventFlag.JOINED)) {
          joined.set(event);
        }
      }
    }
    source = new int[events.size()];
    Arrays.fill(source, EventTable.NONE);
    for (int rank = 0; rank < events.ranks(); rank++) {
      findSources(rank);
    }
    shift = new long[events.ranks()];
    long least = Arrays.stream(originNanos).min().orElse(0);
    Arrays.setAll(shift, rank -> originNanos[rank] - least);
    driftNanos = align();
  }

  private void findSources(int rank) {
    int first = events.first(rank);
    int end = first + graph.size(rank);
    for (int event = first; event < end; event++) {
      int message = deliveries.message(event);
      if (message >= 0) {
        source[event] = graph.pairing().send(message);
      } else if (deliveries.isAny(event)) {
        source[event] = SEVERAL;
      }
      if (source[event] != EventTable.NONE) {
        waiting.set(callEnd(event));
      }
    }
    if (end > first) {
      // In MPI_Finalize ranks wait for each other, in libraries as they are.
      waiting.set(end - 1);
    }
  }

  /**
   * The timeline of a run.
   *
   * @param originNanos when the recording of each rank began, as far as its clock says
   */
  public static Timeline of(EventGraph graph, long[] originNanos) {
    return new Timeline(graph, originNanos);
  }

  /** The same for ranks that began together. */
  public static Timeline of(EventGraph graph) {
    return of(graph, new long[graph.events().ranks()]);
  }

  /**
   * Shifts the clocks of ranks until no message arrives before it was sent: a shortest path over
   * pairs of ranks (Bellman and Ford). Returns by how much one still does.
   */
  private long align() {
    int ranks = events.ranks();
    // By sender and receiver: the least time from entry of a send to the return of its receive.
    long[][] slack = new long[ranks][ranks];
    for (long[] row : slack) {
      Arrays.fill(row, Long.MAX_VALUE);
    }
    for (int rank = 0; rank < ranks; rank++) {
      int to = rank;
      for (int event = events.first(to); event < events.first(to) + graph.size(to); event++) {
        long exit = ownExit(event);
        sources(
            event,
            from -> {
              long[] row = slack[events.rank(from)];
              row[to] = Math.min(row[to], exit - ownEntry(from));
            });
      }
    }
    for (int round = 0; round < ranks; round++) {
      if (!raise(slack)) {
        return 0;
      }
    }
    long worst = 0;
    for (int from = 0; from < ranks; from++) {
      for (int to = 0; to < ranks; to++) {
        if (slack[from][to] != Long.MAX_VALUE) {
          worst = Math.max(worst, shift[from] - shift[to] - slack[from][to]);
        }
      }
    }
    return worst;
  }

  private boolean raise(long[][] slack) {
    boolean changed = false;
    for (int from = 0; from < shift.length; from++) {
      for (int to = 0; to < shift.length; to++) {
        if (from != to && slack[from][to] != Long.MAX_VALUE) {
          long least = shift[from] - slack[from][to];
          if (shift[to] < least) {
            shift[to] = least;
            changed = true;
          }
        }
      }
    }
    return changed;
  }

  public EventGraph graph() {
    return graph;
  }

  public EventTable events() {
    return events;
  }

  public Deliveries deliveries() {
    return deliveries;
  }

  public int ranks() {
    return events.ranks();
  }

  /** How many events of a rank there are, and so its last position. */
  public int end(int rank) {
    return graph.size(rank);
  }

  /** By how much a message seems to arrive before it was sent, at most; 0 unless clocks drifted. */
  public long driftNanos() {
    return driftNanos;
  }

  /** The first event of the call that an event belongs to. */
  int callStart(int event) {
    return event == 0 ? 0 : joined.previousClearBit(event - 1) + 1;
  }

  /** The last one. */
  int callEnd(int event) {
    return joined.nextClearBit(event);
  }

  /** The last position of a rank that is not behind so many events. */
  int position(int rank, int number) {
    return number >= end(rank)
        ? end(rank)
        : callStart(events.event(rank, number)) - events.first(rank);
  }

  /** By the rank's own clock: when the call was entered. The last of its events has its times. */
  private long ownEntry(int event) {
    return events.startNanos(callEnd(event));
  }

  private long ownExit(int event) {
    return events.endNanos(callEnd(event));
  }

  /** When the call of an event was entered. */
  public long entry(int event) {
    return shift[events.rank(event)] + ownEntry(event);
  }

  /** When the call of an event returned. */
  public long exit(int event) {
    return shift[events.rank(event)] + ownExit(event);
  }

  /**
   * When a rank stood at a position: on entry of the call behind it; at the end, when the last call
   * had returned.
   */
  public long at(int rank, int position) {
    if (position < end(rank)) {
      return entry(events.event(rank, position));
    }
    return position == 0 ? shift[rank] : exit(events.event(rank, position - 1));
  }

  /** When a rank began to work again behind a position: after the wait of its call, if it waits. */
  long goesOn(int rank, int position) {
    if (position == end(rank)) {
      return at(rank, position);
    }
    int event = events.event(rank, position);
    return waits(event) ? exit(event) : entry(event);
  }

  /** Whether the time of an event's call is a wait: it got something, or is the rank's last one. */
  boolean waits(int event) {
    return waiting.get(callEnd(event));
  }

  /** Whether an event's return gave the program anything of another call. */
  boolean gets(int event) {
    return source[event] != EventTable.NONE;
  }

  /**
   * The calls at whose entry the data left that an event's return gave to the program. A hot path:
   * planning asks for every event, many times.
   */
  void sources(int event, IntConsumer each) {
    int one = source[event];
    if (one >= 0) {
      each.accept(one);
    } else if (one == SEVERAL) {
      deliveries.sources(event, each);
    }
  }

  /** The last position at which a rank was at a time, or before. */
  int before(int rank, long nanos) {
    int low = 0;
    int high = end(rank);
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (at(rank, position(rank, middle)) <= nanos) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return position(rank, low);
  }

  /** From the first call of the run to the last one. */
  public long durationNanos() {
    return endNanos() - startNanos();
  }

  long startNanos() {
    long start = Long.MAX_VALUE;
    for (int rank = 0; rank < ranks(); rank++) {
      start = Math.min(start, at(rank, 0));
    }
    return start;
  }

  long endNanos() {
    long end = Long.MIN_VALUE;
    for (int rank = 0; rank < ranks(); rank++) {
      end = Math.max(end, at(rank, end(rank)));
    }
    return end;
  }

  /** The longest stretch that a rank spent without a call: where no checkpoint can be taken. */
  public Stretch longestStretch() {
    Stretch longest = new Stretch(0, 0, 0);
    for (int rank = 0; rank < ranks(); rank++) {
      int first = events.first(rank);
      for (int event = first + 1; event < first + end(rank); event++) {
        if (!joined.get(event - 1)) {
          long nanos = ownEntry(event) - ownExit(event - 1);
          if (nanos > longest.nanos) {
            longest = new Stretch(rank, event - first, nanos);
          }
        }
      }
    }
    return longest;
  }

  /**
   * Time that a rank spent outside of MPI.
   *
   * @param position where it ended: the number of the event that came next
   */
  public record Stretch(int rank, int position, long nanos) {}
}
