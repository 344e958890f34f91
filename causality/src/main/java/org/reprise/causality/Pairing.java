package org.reprise.causality;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.reprise.causality.columns.IntList;
import org.reprise.causality.columns.LongIntMap;
import org.reprise.causality.columns.NumberReader;
import org.reprise.causality.columns.NumberWriter;
import org.reprise.trace.events.EventFlag;
import org.reprise.trace.events.EventKind;

/**
 * Which receive took which message, found after the fact. Messages of one sender, receiver,
 * communicator and tag form a <em>lane</em>. MPI does not let them overtake each other, and of two
 * receives that took messages of one lane the one posted first took the one sent first: else it
 * would have accepted the earlier message and been asked before the other. So the k-th message of a
 * lane belongs to the k-th receive, by order of posting, that ended with its source and tag.
 *
 * <p>A message is a number. Messages are sorted by destination, then by communicator and tag, then
 * by source, then by the order of sending; so a lane is a range, and so are the lanes of one
 * destination, communicator and tag, which is a <em>class</em>.
 *
 * <p>A wildcard receive whose end nobody saw makes the lanes ambiguous that it may have taken from:
 * there nothing is paired that was posted later. So does a send that the program asked to cancel
 * and whose end nobody saw: from it on, nothing of its lane is paired, unless all of it was
 * received.
 */
public final class Pairing {
  /** In place of a message or receive: none. */
  public static final int NONE = EventTable.NONE;

  private final EventTable events;
  private final int[] send;
  private final int[] receive;
  private final int[] messageOf;
  private final int[] laneStart;
  private final int[] laneOfDestination;
  private final BitSet ambiguous;
  private final boolean anySynchronous;

  /** Sends that may have been cancelled. */
  private final BitSet perhaps;

  private final List<Notice> notices = new ArrayList<>();

  /** That which was written. */
  Pairing(EventTable events, NumberReader in) {
    this.events = events;
    send = in.ints();
    receive = in.ints();
    messageOf = in.ints();
    laneStart = in.ints();
    laneOfDestination = in.ints();
    ambiguous = BitSet.valueOf(in.longs());
    perhaps = BitSet.valueOf(in.longs());
    anySynchronous = in.number() != 0;
    for (int left = in.length(3 * Long.BYTES); left > 0; left--) {
      Notice.Kind kind = Notice.Kind.values()[in.integer()];
      long count = in.number();
      notices.add(new Notice(kind, count, in.integer()));
    }
  }

  void write(NumberWriter out) {
    out.ints(send);
    out.ints(receive);
    out.ints(messageOf);
    out.ints(laneStart);
    out.ints(laneOfDestination);
    out.longs(ambiguous.toLongArray());
    out.longs(perhaps.toLongArray());
    out.number(anySynchronous ? 1 : 0);
    out.number(notices.size());
    for (Notice notice : notices) {
      out.number(notice.kind().ordinal());
      out.number(notice.count());
      out.number(notice.example());
    }
  }

  Pairing(EventTable events, Progress progress) {
    this.events = events;
    ambiguous = new BitSet();
    perhaps = new BitSet();
    progress.at(Progress.Pass.PAIRING, 0, events.size());
    messageOf = new int[events.size()];
    Arrays.fill(messageOf, NONE);
    boolean synchronous = false;
    for (int e = 0; e < events.size(); e++) {
      if (events.kind(e) == EventKind.CANCEL && isOpenSend(events.link(e))) {
        perhaps.set(events.link(e));
      }
      synchronous |= isSynchronous(e);
    }
    anySynchronous = synchronous;
    int[] start = sortByDestination();
    send = new int[start[events.ranks()]];
    receive = new int[send.length];
    Arrays.fill(receive, NONE);
    fill(start);
    IntList lanes = new IntList();
    laneOfDestination = new int[events.ranks() + 1];
    LongIntMap classes = new LongIntMap();
    LongIntMap laneOf = new LongIntMap();
    Unpaired unpaired = new Unpaired();
    for (int rank = 0; rank < events.ranks(); rank++) {
      classes.clear();
      laneOf.clear();
      sortByClass(start[rank], start[rank + 1], classes);
      laneOfDestination[rank] = lanes.size();
      for (int m = start[rank]; m < start[rank + 1]; m++) {
        messageOf[send[m]] = m;
        int source = events.rank(send[m]);
        int classId = classes.get(classKey(events.comm(send[m]), events.tag(send[m])));
        if (laneOf.putIfAbsent(laneKey(classId, source), lanes.size()) == lanes.size()) {
          lanes.add(m);
        }
      }
      pair(rank, classes, laneOf, lanes, start[rank + 1], unpaired);
      progress.at(Progress.Pass.PAIRING, events.first(rank + 1), events.size());
    }
    laneOfDestination[events.ranks()] = lanes.size();
    lanes.add(send.length);
    laneStart = lanes.toArray();
    unpaired.report();
  }

  /** What could not be paired, by reason. */
  private final class Unpaired {
    private final long[] counts = new long[Notice.Kind.values().length];
    private final int[] examples = new int[counts.length];

    void note(Notice.Kind kind, int event) {
      if (counts[kind.ordinal()]++ == 0) {
        examples[kind.ordinal()] = event;
      }
    }

    void report() {
      for (Notice.Kind kind : Notice.Kind.values()) {
        if (counts[kind.ordinal()] > 0) {
          notices.add(new Notice(kind, counts[kind.ordinal()], examples[kind.ordinal()]));
        }
      }
      for (int e = 0; e < events.size(); e++) {
        if (events.kind(e).isSend() && isCancelled(e)) {
          notices.add(new Notice(Notice.Kind.SENDS_CANCELLED, cancelledSends(), e));
          return;
        }
      }
    }
  }

  private long cancelledSends() {
    long count = 0;
    for (int e = 0; e < events.size(); e++) {
      count += events.kind(e).isSend() && isCancelled(e) ? 1 : 0;
    }
    return count;
  }

  /** Counts the messages to each rank; result[r] is where those to rank r begin. */
  private int[] sortByDestination() {
    int[] start = new int[events.ranks() + 1];
    for (int e = 0; e < events.size(); e++) {
      if (isMessage(e)) {
        start[events.peer(e) + 1]++;
      }
    }
    for (int rank = 0; rank < events.ranks(); rank++) {
      start[rank + 1] += start[rank];
    }
    return start;
  }

  private void fill(int[] start) {
    int[] next = start.clone();
    for (int e = 0; e < events.size(); e++) {
      if (isMessage(e)) {
        send[next[events.peer(e)]++] = e;
      }
    }
  }

  private boolean isSynchronous(int event) {
    return events.kind(event).isSend() && events.is(event, EventFlag.SYNC);
  }

  private boolean isMessage(int event) {
    return events.kind(event).isSend()
        && events.peer(event) >= 0
        && !isCancelled(event)
        && !events.communicators().get(events.comm(event)).overtaking();
  }

  /** A range of messages lies in order of sending; this puts those of one class together. */
  private void sortByClass(int from, int to, LongIntMap classes) {
    int[] classOf = new int[to - from];
    IntList counts = new IntList();
    for (int m = from; m < to; m++) {
      long key = classKey(events.comm(send[m]), events.tag(send[m]));
      int id = classes.putIfAbsent(key, counts.size());
      if (id == counts.size()) {
        counts.add(0);
      }
      classOf[m - from] = id;
      counts.set(id, counts.get(id) + 1);
    }
    if (counts.size() <= 1) {
      return;
    }
    int[] next = new int[counts.size()];
    for (int id = 1; id < next.length; id++) {
      next[id] = next[id - 1] + counts.get(id - 1);
    }
    int[] sorted = new int[to - from];
    for (int m = from; m < to; m++) {
      sorted[next[classOf[m - from]]++] = send[m];
    }
    System.arraycopy(sorted, 0, send, from, sorted.length);
  }

  private static long classKey(int comm, int tag) {
    return (long) comm << 32 | tag;
  }

  private static long laneKey(int classId, int source) {
    return (long) classId << 32 | source;
  }

  private void pair(
      int rank, LongIntMap classes, LongIntMap laneOf, IntList lanes, int end, Unpaired unpaired) {
    int firstLane = laneOfDestination[rank];
    int[] next = new int[lanes.size() - firstLane];
    int[] limit = new int[next.length];
    for (int i = 0; i < next.length; i++) {
      next[i] = lanes.get(firstLane + i);
      limit[i] = i + 1 < next.length ? lanes.get(firstLane + i + 1) : end;
    }
    int[] taken = taken(rank, classes, laneOf, firstLane, next.length);
    int[] ambiguousFrom = ambiguousFrom(rank, next, limit, taken);
    int[] doubtful = doubtfulFrom(next, limit, taken);
    for (int e = events.first(rank); e < events.first(rank + 1); e++) {
      EventKind kind = events.kind(e);
      boolean takes = isReceive(kind);
      if (!takes && kind != EventKind.PROBE) {
        continue;
      }
      if (takes && isUnknown(e)) {
        if (events.is(e, EventFlag.ANY_SOURCE) || events.is(e, EventFlag.ANY_TAG)) {
          ambiguous.set(e);
          unpaired.note(Notice.Kind.PAIRING_AMBIGUOUS, e);
          continue;
        }
      } else if (!hasMessage(e)) {
        continue;
      }
      if (events.communicators().get(events.comm(e)).overtaking()) {
        unpaired.note(Notice.Kind.OVERTAKING_ALLOWED, e);
        ambiguous.set(e);
        continue;
      }
      int classId = classes.get(classKey(events.comm(e), tagTaken(e)));
      int lane =
          classId == LongIntMap.ABSENT
              ? LongIntMap.ABSENT
              : laneOf.get(laneKey(classId, sourceTaken(e)));
      if (lane == LongIntMap.ABSENT || next[lane - firstLane] == limit[lane - firstLane]) {
        if (!isUnknown(e)) {
          unpaired.note(Notice.Kind.SEND_MISSING, e);
        }
      } else if (e >= ambiguousFrom[lane - firstLane]
          || next[lane - firstLane] >= doubtful[lane - firstLane]) {
        ambiguous.set(e);
        unpaired.note(Notice.Kind.PAIRING_AMBIGUOUS, e);
      } else {
        int message = next[lane - firstLane];
        messageOf[e] = message;
        if (takes) {
          receive[message] = e;
          next[lane - firstLane]++;
        }
      }
    }
  }

  /** How many messages of each lane were received for certain. */
  private int[] taken(int rank, LongIntMap classes, LongIntMap laneOf, int firstLane, int lanes) {
    int[] taken = new int[lanes];
    for (int e = events.first(rank); e < events.first(rank + 1); e++) {
      if (isReceive(events.kind(e)) && hasMessage(e)) {
        int classId = classes.get(classKey(events.comm(e), tagTaken(e)));
        int lane =
            classId == LongIntMap.ABSENT
                ? LongIntMap.ABSENT
                : laneOf.get(laneKey(classId, sourceTaken(e)));
        if (lane != LongIntMap.ABSENT) {
          taken[lane - firstLane]++;
        }
      }
    }
    return taken;
  }

  /** From which event on the pairing of each lane is uncertain. */
  private int[] ambiguousFrom(int rank, int[] start, int[] limit, int[] taken) {
    int[] from = new int[start.length];
    Arrays.fill(from, Integer.MAX_VALUE);
    PostedReceives open = new PostedReceives(events);
    for (int e = events.first(rank); e < events.first(rank + 1); e++) {
      boolean wild = events.is(e, EventFlag.ANY_SOURCE) || events.is(e, EventFlag.ANY_TAG);
      if (isReceive(events.kind(e)) && isUnknown(e) && wild) {
        open.putFirst(e, events.peer(e), events.tag(e));
      }
    }
    for (int lane = 0; lane < from.length && !open.isEmpty(); lane++) {
      int sent = send[start[lane]];
      for (int i = 0; limit[lane] - start[lane] > taken[lane] && i < PostedReceives.PATTERNS; i++) {
        int first = open.get(i, events.comm(sent), events.rank(sent), events.tag(sent));
        if (first >= 0) {
          from[lane] = Math.min(from[lane], first);
        }
      }
    }
    return from;
  }

  /** From which message on nobody knows whether a message of each lane was sent at all. */
  private int[] doubtfulFrom(int[] start, int[] limit, int[] taken) {
    int[] from = limit.clone();
    for (int lane = 0; lane < from.length && !perhaps.isEmpty(); lane++) {
      if (taken[lane] < limit[lane] - start[lane]) {
        int m = start[lane];
        while (m < limit[lane] && !perhaps.get(send[m])) {
          m++;
        }
        from[lane] = m;
      }
    }
    return from;
  }

  private boolean isOpenSend(int post) {
    return events.kind(post) == EventKind.POST_SEND && events.link(post) == NONE;
  }

  /** Whether events of this kind take a message. */
  public static boolean isReceive(EventKind kind) {
    return kind == EventKind.RECV || kind == EventKind.POST_RECV || kind == EventKind.MPROBE;
  }

  /** Whether nobody knows how a receive ended. */
  public boolean isUnknown(int receive) {
    return events.kind(receive) == EventKind.POST_RECV && events.link(receive) == NONE;
  }

  /** Whether a receive or probe is known to have got a message. */
  private boolean hasMessage(int receive) {
    if (events.kind(receive) != EventKind.POST_RECV) {
      return true;
    }
    int end = events.link(receive);
    return end != NONE && events.kind(end) != EventKind.UNMATCHED && !isCancelled(receive);
  }

  /** Whether an operation ended by being cancelled. */
  public boolean isCancelled(int post) {
    int end = events.kind(post).isPost() ? events.link(post) : NONE;
    return end != NONE
        && events.kind(end) == EventKind.COMPLETE
        && events.is(end, EventFlag.CANCELLED);
  }

  /**
   * The source that a receive or probe got its message from; what it asks for if that is unknown.
   */
  public int sourceTaken(int receive) {
    boolean ended = events.kind(receive) == EventKind.POST_RECV && events.link(receive) != NONE;
    return events.peer(ended ? events.link(receive) : receive);
  }

  /** The same for the tag. */
  public int tagTaken(int receive) {
    boolean ended = events.kind(receive) == EventKind.POST_RECV && events.link(receive) != NONE;
    return events.tag(ended ? events.link(receive) : receive);
  }

  /** Whether a receive or probe accepts a message by what it asks for. */
  public boolean accepts(int receive, int sent) {
    return events.comm(receive) == events.comm(sent)
        && (events.is(receive, EventFlag.ANY_TAG) || tagTaken(receive) == events.tag(sent))
        && (events.is(receive, EventFlag.ANY_SOURCE) || sourceTaken(receive) == events.rank(sent));
  }

  /** Whether some send had to wait for its receive. */
  public boolean anySynchronous() {
    return anySynchronous;
  }

  /** How many messages there are, received or not. */
  public int messages() {
    return send.length;
  }

  /** The event that sent a message. */
  public int send(int message) {
    return send[message];
  }

  /** The receive that took a message: its post; {@link #NONE} if nobody did. */
  public int receive(int message) {
    return receive[message];
  }

  /** The message that a send sent, a receive (its post) took or a probe saw; {@link #NONE}. */
  public int message(int event) {
    return messageOf[event];
  }

  /** Whether it is uncertain what a receive took. */
  public boolean isAmbiguous(int receive) {
    return ambiguous.get(receive);
  }

  /** What limits the pairing. */
  public List<Notice> notices() {
    return List.copyOf(notices);
  }

  /** The first lane to a rank; those to the next rank follow. */
  public int firstLane(int destination) {
    return laneOfDestination[destination];
  }

  /** The first message of a lane; those of the next lane follow. */
  public int laneStart(int lane) {
    return laneStart[lane];
  }
}
