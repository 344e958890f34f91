package org.reprise.causality;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.reprise.causality.columns.Column;
import org.reprise.causality.columns.LongIntMap;
import org.reprise.causality.columns.NumberReader;
import org.reprise.causality.columns.NumberWriter;
import org.reprise.trace.Counted;
import org.reprise.trace.TraceError;
import org.reprise.trace.events.CollectiveFlow;
import org.reprise.trace.events.Communicator;
import org.reprise.trace.events.CommunicatorTable;
import org.reprise.trace.events.EventCursor;
import org.reprise.trace.events.EventFlag;
import org.reprise.trace.events.EventKind;
import org.reprise.trace.events.RankGroup;

/**
 * The events of all ranks of a run, in columns. An event is a number: those of rank 0 come first,
 * in their order, then those of rank 1, and so on. Peers are numbers in MPI_COMM_WORLD.
 *
 * <p>Two events that belong together name each other by {@link #link}: a post names its end (the
 * COMPLETE, MATCHED or UNMATCHED) and the end names its post. An MPROBE names the MRECV or
 * POST_MRECV of its message; a POST_MRECV that has ended names its end.
 */
public final class EventTable {
  /** In place of an event: none. */
  public static final int NONE = -1;

  private static final EventKind[] KINDS = EventKind.values();
  private static final CollectiveFlow[] FLOWS = CollectiveFlow.values();
  private static final int BLOCK_SHIFT = 8;
  private static final int RANKS_MAX = 1 << 16;
  private static final int EVENTS_MAX = Integer.MAX_VALUE - 8;

  /** What the passes keep for an event: its message, and a few bits. */
  private static final long EVENT_BYTES = 5;

  /** For a message: its send and receive, and twice what its sender knew. */
  private static final long MESSAGE_BYTES = 16;

  private static final int KIND_BITS = 5;
  private static final int KIND_MASK = (1 << KIND_BITS) - 1;

  private final int[] base;
  private final int[] rankOfBlock;

  /** The kind, and above it the flags, or the flow of a collective. */
  private final Column kind;

  private final Column call;
  private final Column site;
  private final Column peer;
  private final Column tag;
  private final Column comm;

  /** How far behind an event the one is that it is linked with; 0 if there is none. */
  private final Column link;

  private final Column bytes;
  private final Column start;
  private final Column duration;
  private final LongIntMap listedOf;
  private final List<int[]> listed;
  private final List<Communicator> communicators;

  private EventTable(Builder builder) {
    base = builder.base;
    kind = builder.kind;
    call = builder.call;
    site = builder.site;
    peer = builder.peer;
    tag = builder.tag;
    comm = builder.comm;
    link = builder.link;
    bytes = builder.bytes;
    start = builder.start;
    duration = builder.duration;
    listedOf = builder.listedOf;
    listed = List.copyOf(builder.listed);
    communicators = builder.communicators.all();
    rankOfBlock = ranksOfBlocks();
  }

  /** Those that were written. */
  EventTable(NumberReader in) {
    base = in.ints();
    kind = Column.read(in);
    call = Column.read(in);
    site = Column.read(in);
    peer = Column.read(in);
    tag = Column.read(in);
    comm = Column.read(in);
    link = Column.read(in);
    bytes = Column.read(in);
    start = Column.read(in);
    duration = Column.read(in);
    listedOf = LongIntMap.read(in);
    List<int[]> lists = new ArrayList<>();
    for (int left = in.length(Long.BYTES); left > 0; left--) {
      lists.add(in.ints());
    }
    listed = List.copyOf(lists);
    List<Communicator> known = new ArrayList<>();
    for (int left = in.length(3 * Long.BYTES); left > 0; left--) {
      long id = in.number();
      boolean inter = in.number() != 0;
      boolean overtaking = in.number() != 0;
      RankGroup group = RankGroup.of(in.ints());
      known.add(new Communicator(id, group, RankGroup.of(in.ints()), inter, overtaking));
    }
    communicators = List.copyOf(known);
    rankOfBlock = ranksOfBlocks();
  }

  void write(NumberWriter out) {
    out.ints(base);
    for (Column column : List.of(kind, call, site, peer, tag, comm, link, bytes, start, duration)) {
      column.write(out);
    }
    listedOf.write(out);
    out.number(listed.size());
    listed.forEach(out::ints);
    out.number(communicators.size());
    for (Communicator communicator : communicators) {
      out.number(communicator.id());
      out.number(communicator.inter() ? 1 : 0);
      out.number(communicator.overtaking() ? 1 : 0);
      out.ints(communicator.group().toArray());
      out.ints(communicator.remote().toArray());
    }
  }

  private int[] ranksOfBlocks() {
    int[] rankOf = new int[(size() >> BLOCK_SHIFT) + 1];
    for (int rank = 0; rank < ranks(); rank++) {
      int first = (base[rank] + (1 << BLOCK_SHIFT) - 1) >> BLOCK_SHIFT;
      for (int b = first; b << BLOCK_SHIFT < base[rank + 1]; b++) {
        rankOf[b] = rank;
      }
    }
    return rankOf;
  }

  /** The size of MPI_COMM_WORLD. */
  public int ranks() {
    return base.length - 1;
  }

  /** How many events there are. */
  public int size() {
    return base[base.length - 1];
  }

  /** About how much memory an analysis of these events takes, their own included. */
  public long bytesToAnalyse() {
    long messages = 0;
    for (int event = 0; event < size(); event++) {
      messages += kind(event).isSend() ? 1 : 0;
    }
    long held = 0;
    for (Column column : List.of(kind, call, site, peer, tag, comm, link, bytes, start, duration)) {
      held += column.bytes();
    }
    return held + EVENT_BYTES * size() + MESSAGE_BYTES * messages;
  }

  /** How many events a rank has. */
  public int size(int rank) {
    return base[rank + 1] - base[rank];
  }

  /** The first event of a rank; the events of a rank are consecutive. */
  public int first(int rank) {
    return base[rank];
  }

  /** The event of a rank with this number, from 0. */
  public int event(int rank, int number) {
    return base[rank] + number;
  }

  public int rank(int event) {
    int rank = rankOfBlock[event >> BLOCK_SHIFT];
    while (base[rank + 1] <= event) {
      rank++;
    }
    return rank;
  }

  /** The number of an event among those of its rank, from 0. */
  public int number(int event) {
    return event - base[rank(event)];
  }

  public EventKind kind(int event) {
    return KINDS[kind.getInt(event) & KIND_MASK];
  }

  /** Whether an event that is no collective has a flag. */
  public boolean is(int event, EventFlag flag) {
    int both = kind.getInt(event);
    return (both >> KIND_BITS & flag.bit()) != 0 && !KINDS[both & KIND_MASK].isCollective();
  }

  /** Number of the MPI call, as in callNames of run.json. */
  public int call(int event) {
    return call.getInt(event);
  }

  /** Line of the rank's table of call sites; 0 if unknown. */
  public int site(int event) {
    return site.getInt(event);
  }

  /** Destination, source of the message that came, or root; -1 if there is none or any. */
  public int peer(int event) {
    return peer.getInt(event);
  }

  /** -1 if there is none or any. */
  public int tag(int event) {
    return tag.getInt(event);
  }

  /** The communicator of an event as an index into {@link #communicators}; -1 if it has none. */
  public int comm(int event) {
    return comm.getInt(event);
  }

  /** The end of a post, or the post of an end; {@link #NONE} if there is none. */
  public int link(int event) {
    int distance = link.getInt(event);
    return distance == 0 ? NONE : event + distance;
  }

  /** Bytes of the message, or failed polls; 2^32 - 1 if more. */
  public long bytes(int event) {
    return bytes.get(event);
  }

  public long startNanos(int event) {
    return start.get(event);
  }

  public long endNanos(int event) {
    return start.get(event) + duration.get(event);
  }

  public CollectiveFlow flow(int event) {
    int both = kind.getInt(event);
    return KINDS[both & KIND_MASK].isCollective() ? FLOWS[both >> KIND_BITS] : CollectiveFlow.NONE;
  }

  /** The ranks that a collective of flow LISTED gets data from. */
  int[] listed(int event) {
    int index = listedOf.get(event);
    return index == LongIntMap.ABSENT ? new int[0] : listed.get(index);
  }

  /**
   * The posts of the requests that a poll asked for, {@link EventCursor#NULL_REQUEST} and {@link
   * EventCursor#UNKNOWN_REQUEST} among them; none where the events do not tell.
   */
  public int[] asked(int event) {
    int first = base[rank(event)];
    return kind(event).isCollective()
        ? new int[0]
        : Arrays.stream(listed(event)).map(post -> post < 0 ? post : first + post).toArray();
  }

  /** Every communicator of the run; an intercommunicator as one of its sides knows it. */
  public List<Communicator> communicators() {
    return communicators;
  }

  /** Collects the events of the ranks, which come one after the other, in rising order. */
  public static final class Builder {
    private final int[] base;
    private final long expected;
    private final Progress progress;
    private int nextRank;
    private int size;
    private final Column kind = new Column();
    private final Column call = new Column();
    private final Column site = new Column();
    private final Column peer = new Column();
    private final Column tag = new Column();
    private final Column comm = new Column();
    private final Column link = new Column();
    private final Column bytes = new Column();
    private final Column start = new Column();
    private final Column duration = new Column();

    /**
     * By number of an event of the rank that is read: its link, which an end far behind may set.
     */
    private int[] linkHere = new int[16];

    private final LongIntMap listedOf = new LongIntMap();
    private final List<int[]> listed = new ArrayList<>();
    private final CommunicatorTable communicators = new CommunicatorTable();

    /** A table for {@code ranks} ranks. */
    public Builder(int ranks) {
      this(ranks, 0, Progress.NONE);
    }

    /** A table for about {@code expected} events, which tells how many it has read. */
    public Builder(int ranks, long expected, Progress progress) {
      this.expected = expected;
      this.progress = progress;
      if (ranks > RANKS_MAX) {
        throw new TraceError(
            "the run has more ranks than can be analysed together",
            ranks + " ranks, where " + RANKS_MAX + " are the most",
            "record the program with fewer ranks");
      }
      base = new int[ranks + 1];
    }

    /** Adds all events of one rank; ranks that left none are passed over. */
    public Builder add(EventCursor cursor) {
      int rank = cursor.rank();
      if (cursor.ranks() != base.length - 1 || rank < nextRank || rank >= base.length - 1) {
        throw new TraceError(
            "the events of rank " + rank + " do not belong to this run",
            "rank "
                + rank
                + " of "
                + cursor.ranks()
                + " in a run of "
                + Counted.of(base.length - 1, "rank"),
            "record the program again, or take another run (reprise ls)");
      }
      Arrays.fill(base, nextRank + 1, rank + 1, size);
      int first = size;
      int[] commHere = new int[4];
      int commsHere = 0;
      while (cursor.advance()) {
        for (; commsHere < cursor.communicators(); commsHere++) {
          if (commsHere == commHere.length) {
            commHere = Arrays.copyOf(commHere, 2 * commsHere);
          }
          commHere[commsHere] = communicators.number(cursor.communicator(commsHere));
        }
        append(cursor, first, commHere);
      }
      for (int number = 0; number < size - first; number++) {
        link.add(linkHere[number]);
      }
      nextRank = rank + 1;
      Arrays.fill(base, nextRank, base.length, size);
      return this;
    }

    private void append(EventCursor cursor, int first, int[] commHere) {
      if (size == EVENTS_MAX) {
        throw new TraceError(
            "the run has more events than can be analysed together",
            "more than " + size + " events",
            "record a shorter run");
      }
      if ((size & Progress.STEP - 1) == 0) {
        progress.at(Progress.Pass.READING, size, expected);
      }
      int event = size++;
      EventKind eventKind = cursor.kind();
      boolean collective = eventKind.isCollective();
      int flags = collective ? cursor.flow().ordinal() : cursor.flags();
      kind.add(eventKind.ordinal() | flags << KIND_BITS);
      call.add(cursor.call());
      site.add(cursor.site());
      peer.add(cursor.peer());
      tag.add(cursor.tag());
      comm.add(cursor.comm() < 0 ? NONE : commHere[cursor.comm()]);
      bytes.add(Math.min(cursor.bytes(), 0xffff_ffffL));
      start.add(cursor.startNanos());
      duration.add(cursor.durationNanos());
      link(cursor, event - first, first);
      if (cursor.peerCount() > 0) {
        int[] peers = new int[cursor.peerCount()];
        for (int i = 0; i < peers.length; i++) {
          peers[i] = cursor.peer(i);
        }
        listedOf.put(event, listed.size());
        listed.add(peers);
      }
    }

    private void link(EventCursor cursor, int number, int first) {
      if (number == linkHere.length) {
        linkHere = Arrays.copyOf(linkHere, (int) Math.min(EVENTS_MAX, number * 3L / 2));
      }
      linkHere[number] = 0;
      if (cursor.post() >= 0) {
        int post = (int) cursor.post();
        linkHere[number] = post - number;
        boolean ends = cursor.kind() != EventKind.CANCEL && cursor.kind() != EventKind.FREE;
        EventKind began = KINDS[kind.getInt(first + post) & KIND_MASK];
        if (ends && (began.isPost() || began == EventKind.MPROBE)) {
          linkHere[post] = number - post;
        }
      }
    }

    public EventTable build() {
      return new EventTable(this);
    }
  }
}
