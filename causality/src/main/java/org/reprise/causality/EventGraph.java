package org.reprise.causality;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.reprise.causality.columns.IntList;
import org.reprise.causality.columns.NumberReader;
import org.reprise.causality.columns.NumberWriter;
import org.reprise.trace.events.EventCursor;

/**
 * The events of a run and what orders them: program order, messages, matching in the order of
 * posting and without overtaking, synchronous sends, probes, and collectives along their flow of
 * data. Every cut that it calls consistent is a state that the program can reach by the same
 * matches.
 *
 * <p>A call is not a point: it begins, and it returns. One call <em>precedes</em> another if it
 * must have begun before the other can return. Calls that wait for each other, like those of a
 * barrier, or a synchronous send and its receive, precede each other.
 */
public final class EventGraph {
  /** Memory for clocks, at most, unless the caller says otherwise. */
  private static final long CLOCK_BYTES_MAX = 1L << 30;

  private final EventTable events;
  private final Pairing pairing;
  private final Collectives collectives;
  private final MatchOrder order;
  private final Clocks clocks;
  private final ClockQuery query;
  private final Progress progress;

  private EventGraph(
      EventTable events,
      Pairing pairing,
      Collectives collectives,
      MatchOrder order,
      long clockBytes,
      Progress progress) {
    this.progress = progress;
    this.events = events;
    this.pairing = pairing;
    this.collectives = collectives;
    this.order = order;
    ClockPass pass = new ClockPass(events, pairing, order, collectives, clockBytes, progress);
    clocks = new Clocks(pass, events, pairing, order);
    query = new ClockQuery(events, pairing, order, collectives, clocks);
  }

  private EventGraph(NumberReader in) {
    progress = Progress.NONE;
    events = new EventTable(in);
    pairing = new Pairing(events, in);
    collectives = new Collectives(events);
    order = new MatchOrder(events, pairing, in);
    clocks = new Clocks(events, pairing, order, in);
    query = new ClockQuery(events, pairing, order, collectives, clocks);
  }

  /** Writes all of the graph that would take long to find out again. */
  public void write(NumberWriter out) {
    events.write(out);
    pairing.write(out);
    order.write(out);
    clocks.write(out);
  }

  /** The graph that was written. What is read must be what was written: it is taken as it is. */
  public static EventGraph read(NumberReader in) {
    return new EventGraph(in);
  }

  /** Memory for clocks: an eighth of all that there is. */
  public static long clockBytes() {
    return Math.min(CLOCK_BYTES_MAX, Runtime.getRuntime().maxMemory() / 8);
  }

  /** The graph of these events. */
  public static EventGraph of(EventTable events) {
    return of(events, clockBytes(), Progress.NONE);
  }

  /**
   * The graph of these events. With more memory for clocks, questions about far apart events are
   * answered faster.
   */
  public static EventGraph of(EventTable events, long clockBytes, Progress progress) {
    Pairing pairing = new Pairing(events, progress);
    return new EventGraph(
        events,
        pairing,
        new Collectives(events),
        new MatchOrder(events, pairing, MatchOrder.Patterns.AS_POSTED),
        clockBytes,
        progress);
  }

  /** The graph of events that come rank by rank, in rising order. */
  public static EventGraph of(int ranks, Iterable<? extends EventCursor> cursors) {
    EventTable.Builder table = new EventTable.Builder(ranks);
    for (EventCursor cursor : cursors) {
      table.add(cursor);
    }
    return of(table.build());
  }

  /**
   * This graph as it would be if every wildcard receive named the source it took; itself if that
   * makes no difference.
   */
  public EventGraph forced() {
    MatchOrder forced = new MatchOrder(events, pairing, MatchOrder.Patterns.FORCED);
    // A scan for races asks for the order of two calls only where a send was synchronous.
    long clockBytes = pairing.anySynchronous() ? clockBytes() : 0;
    return forced.isEqualTo(order)
        ? this
        : new EventGraph(events, pairing, collectives, forced, clockBytes, ofForcing());
  }

  /** To order the events again is the first half of finding what a replay must force. */
  private Progress ofForcing() {
    return (pass, done, all) -> {
      long half = pass == Progress.Pass.ORDERING ? 0 : all;
      progress.at(Progress.Pass.FORCING, (half + done) / 2, all);
    };
  }

  public Progress progress() {
    return progress;
  }

  public EventTable events() {
    return events;
  }

  public Pairing pairing() {
    return pairing;
  }

  /** What the returns of calls gave to the program. */
  public Deliveries deliveries() {
    return new Deliveries(events, pairing, collectives);
  }

  Collectives collectives() {
    return collectives;
  }

  /**
   * The calls of all members of the collective that a call belongs to, by rank; none if it is no
   * collective.
   */
  public int[] collective(int event) {
    if (!events.kind(event).isCollective()) {
      return new int[0];
    }
    IntList calls = new IntList();
    int instance = collectives.instance(event);
    for (int rank = 0; rank < events.ranks(); rank++) {
      int call = collectives.call(instance, rank);
      if (call >= 0) {
        calls.add(call);
      }
    }
    return calls.toArray();
  }

  /** The number of the collective that a call belongs to, the same for all its members. */
  public int collectiveNumber(int event) {
    return collectives.instance(event);
  }

  /** The call that told the program of a receive's end; {@link EventTable#NONE} if none did. */
  public int completion(int receive) {
    int completion = MatchOrder.completion(events, receive);
    return completion == Integer.MAX_VALUE ? EventTable.NONE : completion;
  }

  public MatchOrder order() {
    return order;
  }

  public Clocks clocks() {
    return clocks;
  }

  /** What limits what can be said of this run. */
  public List<Notice> notices() {
    List<Notice> notices = new ArrayList<>(pairing.notices());
    Cancels.of(events, pairing).ifPresent(notices::add);
    long left = 0;
    int example = EventTable.NONE;
    for (int rank = 0; rank < events.ranks(); rank++) {
      int lost = events.size(rank) - clocks.processed(rank);
      if (lost > 0 && left == 0) {
        example = events.event(rank, clocks.processed(rank));
      }
      left += lost;
    }
    if (left > 0) {
      notices.add(new Notice(Notice.Kind.CONTRADICTION, left, example));
    }
    return notices;
  }

  /** How many events of a rank are in the graph: all, unless the traces contradict each other. */
  public int size(int rank) {
    return clocks.processed(rank);
  }

  /** Whether an event is in the graph; all are, unless the traces contradict each other. */
  public boolean contains(int event) {
    return events.number(event) < clocks.processed(events.rank(event));
  }

  /** Whether call {@code a} must have begun before call {@code b} can return. */
  public boolean precedes(int a, int b) {
    int rank = events.rank(a);
    return query.knows(b, true, rank, a - events.first(rank) + 1);
  }

  /** Whether call {@code a} must have returned before call {@code b} can begin. */
  public boolean isOverBefore(int a, int b) {
    return a != b && reaches(a, true, b, false);
  }

  /** Whether {@code a} precedes {@code b}, and not the other way round as well. */
  public boolean happenedBefore(int a, int b) {
    return a != b && precedes(a, b) && !precedes(b, a);
  }

  /** Whether neither precedes the other. */
  public boolean concurrent(int a, int b) {
    return !precedes(a, b) && !precedes(b, a);
  }

  /** Whether one moment, the entry or the return of a call, leads to another, or is it. */
  boolean reaches(int a, boolean aReturn, int b, boolean bReturn) {
    int rank = events.rank(a);
    if (aReturn && rank == events.rank(b)) {
      return a < b || a == b && bReturn;
    }
    return query.knows(b, bReturn, rank, a - events.first(rank) + (aReturn ? 2 : 1));
  }

  public boolean knows(int event, boolean atReturn, int of, int count) {
    return query.knows(event, atReturn, of, count);
  }

  /** The calls of other ranks that must have begun before a call could return, one step back. */
  public int[] awaited(int event) {
    IntList calls = new IntList();
    if (clocks.hasLearned(event)) {
      sources(event, calls);
    }
    return calls.toArray();
  }

  /** The calls of other ranks whose entries a call's return waited for. */
  void sources(int event, IntList into) {
    query.sources(event, into, new IntList());
  }

  /** For each rank, how many of its calls had begun in the causal past of a call's return. */
  public int[] past(int event) {
    int[] past = new int[events.ranks()];
    for (int rank = 0; rank < past.length; rank++) {
      past[rank] = query.known(event, true, rank);
    }
    return past;
  }

  /**
   * For each rank, its first call that this one precedes; the number of its events if there is
   * none.
   */
  public int[] future(int event) {
    int[] future = new int[events.ranks()];
    for (int rank = 0; rank < future.length; rank++) {
      int low = 0;
      int high = clocks.processed(rank);
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (precedes(event, events.event(rank, middle))) {
          high = middle;
        } else {
          low = middle + 1;
        }
      }
      future[rank] = low < clocks.processed(rank) ? low : events.size(rank);
    }
    return future;
  }

  /** Whether all that led to the moments of a cut lies within it: whether a run can be there. */
  public boolean isConsistent(Cut cut) {
    for (int rank = 0; rank < events.ranks(); rank++) {
      if (cut.begun(rank) < 0 || cut.begun(rank) > clocks.processed(rank)) {
        return false;
      }
    }
    for (int rank = 0; rank < events.ranks(); rank++) {
      if (cut.returned(rank) > 0 && !holds(cut, events.event(rank, cut.returned(rank) - 1))) {
        return false;
      }
    }
    return true;
  }

  /** Whether a cut holds every entry that leads to a call's return. */
  boolean holds(Cut cut, int event) {
    for (int rank = 0; rank < events.ranks(); rank++) {
      if (query.knows(event, true, rank, cut.begun(rank) + 1)) {
        return false;
      }
    }
    return true;
  }

  /**
   * The causal distributed breakpoint of an event (Thoai and Volkert 2003, section 3): its rank has
   * just returned from the call, and every other rank stops right after its last call that precedes
   * it. A rank stops inside that call if it can return only after something else has happened.
   */
  public Cut breakpoint(int event) {
    int[] past = past(event);
    int[] moments = Arrays.stream(past).map(begun -> Math.max(0, 2 * begun - 1)).toArray();
    Cut inside = new Cut(moments);
    for (int rank = 0; rank < moments.length; rank++) {
      int last = events.event(rank, past[rank] - 1);
      if (past[rank] > 0 && (!clocks.hasLearned(last) || holds(inside, last))) {
        moments[rank]++;
      }
    }
    return new Cut(moments);
  }
}
