package org.reprise.causality;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.reprise.trace.CollectiveFlow;
import org.reprise.trace.Communicator;
import org.reprise.trace.Counted;
import org.reprise.trace.EventCursor;
import org.reprise.trace.EventFlag;
import org.reprise.trace.EventKind;
import org.reprise.trace.TraceError;

/**
 * The events of all ranks of a run, in columns. An event is a number: those of rank 0 come first,
 * in their order, then those of rank 1, and so on. Peers are numbers in MPI_COMM_WORLD.
 *
 * <p>Two events that belong together name each other by {@link #link}: a post names its end (the
 * COMPLETE, MATCHED or UNMATCHED) and the end names its post.
 */
public final class EventTable {
  /** In place of an event: none. */
  public static final int NONE = -1;

  private static final EventKind[] KINDS = EventKind.values();
  private static final CollectiveFlow[] FLOWS = CollectiveFlow.values();
  private static final int BLOCK_SHIFT = 8;
  private static final int RANKS_MAX = 1 << 16;

  private final int[] base;
  private final int[] rankOfBlock;
  private final byte[] kind;
  private final byte[] flags;
  private final short[] call;
  private final int[] site;
  private final int[] peer;
  private final int[] tag;
  private final int[] comm;
  private final int[] link;
  private final int[] bytes;
  private final long[] start;
  private final int[] duration;
  private final LongIntMap listedOf;
  private final List<int[]> listed;
  private final List<Communicator> communicators;

  private EventTable(Builder builder) {
    int size = builder.size;
    base = builder.base;
    kind = Arrays.copyOf(builder.kind, size);
    flags = Arrays.copyOf(builder.flags, size);
    call = Arrays.copyOf(builder.call, size);
    site = Arrays.copyOf(builder.site, size);
    peer = Arrays.copyOf(builder.peer, size);
    tag = Arrays.copyOf(builder.tag, size);
    comm = Arrays.copyOf(builder.comm, size);
    link = Arrays.copyOf(builder.link, size);
    bytes = Arrays.copyOf(builder.bytes, size);
    start = Arrays.copyOf(builder.start, size);
    duration = Arrays.copyOf(builder.duration, size);
    listedOf = builder.listedOf;
    listed = List.copyOf(builder.listed);
    communicators = List.copyOf(builder.communicators);
    rankOfBlock = new int[(size >> BLOCK_SHIFT) + 1];
    for (int rank = 0; rank < ranks(); rank++) {
      int first = (base[rank] + (1 << BLOCK_SHIFT) - 1) >> BLOCK_SHIFT;
      for (int b = first; b << BLOCK_SHIFT < base[rank + 1]; b++) {
        rankOfBlock[b] = rank;
      }
    }
  }

  /** The size of MPI_COMM_WORLD. */
  public int ranks() {
    return base.length - 1;
  }

  /** How many events there are. */
  public int size() {
    return base[base.length - 1];
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
    return KINDS[kind[event]];
  }

  /** Whether an event that is no collective has a flag. */
  public boolean is(int event, EventFlag flag) {
    return !kind(event).isCollective() && (flags[event] & flag.bit()) != 0;
  }

  /** Number of the MPI call, as in callNames of run.json. */
  public int call(int event) {
    return call[event];
  }

  /** Line of the rank's table of call sites; 0 if unknown. */
  public int site(int event) {
    return site[event];
  }

  /** Destination, source of the message that came, or root; -1 if there is none or any. */
  public int peer(int event) {
    return peer[event];
  }

  /** -1 if there is none or any. */
  public int tag(int event) {
    return tag[event];
  }

  /** The communicator of an event as an index into {@link #communicators}; -1 if it has none. */
  public int comm(int event) {
    return comm[event];
  }

  /** The end of a post, or the post of an end; {@link #NONE} if there is none. */
  public int link(int event) {
    return link[event];
  }

  /** Bytes of the message, or failed polls; 2^32 - 1 if more. */
  public long bytes(int event) {
    return Integer.toUnsignedLong(bytes[event]);
  }

  public long startNanos(int event) {
    return start[event];
  }

  public long endNanos(int event) {
    return start[event] + Integer.toUnsignedLong(duration[event]);
  }

  public CollectiveFlow flow(int event) {
    return kind(event).isCollective() ? FLOWS[flags[event]] : CollectiveFlow.NONE;
  }

  /** The ranks that a collective of flow LISTED gets data from. */
  int[] listed(int event) {
    int index = listedOf.get(event);
    return index == LongIntMap.ABSENT ? new int[0] : listed.get(index);
  }

  /** Every communicator of the run; an intercommunicator as one of its sides knows it. */
  public List<Communicator> communicators() {
    return communicators;
  }

  /** Collects the events of the ranks, which come one after the other, in rising order. */
  public static final class Builder {
    private final int[] base;
    private int nextRank;
    private int size;
    private byte[] kind;
    private byte[] flags;
    private short[] call;
    private int[] site;
    private int[] peer;
    private int[] tag;
    private int[] comm;
    private int[] link;
    private int[] bytes;
    private long[] start;
    private int[] duration;
    private final LongIntMap listedOf = new LongIntMap();
    private final List<int[]> listed = new ArrayList<>();
    private final List<Communicator> communicators = new ArrayList<>();
    private final LongIntMap commOf = new LongIntMap();

    /**
     * A table for {@code ranks} ranks; memory for {@code expected} events is taken at once, more if
     * they come.
     */
    public Builder(int ranks, long expected) {
      if (ranks > RANKS_MAX) {
        throw new TraceError(
            "the run has more ranks than can be analysed together",
            ranks + " ranks, where " + RANKS_MAX + " are the most",
            "record the program with fewer ranks");
      }
      base = new int[ranks + 1];
      int room = (int) Math.max(16, Math.min(expected, Integer.MAX_VALUE - 8));
      kind = new byte[room];
      flags = new byte[room];
      call = new short[room];
      site = new int[room];
      peer = new int[room];
      tag = new int[room];
      comm = new int[room];
      link = new int[room];
      bytes = new int[room];
      start = new long[room];
      duration = new int[room];
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
          commHere[commsHere] = commOf(cursor.communicator(commsHere));
        }
        append(cursor, first, commHere);
      }
      nextRank = rank + 1;
      Arrays.fill(base, nextRank, base.length, size);
      return this;
    }

    private void append(EventCursor cursor, int first, int[] commHere) {
      if (size == kind.length) {
        grow();
      }
      int event = size++;
      EventKind eventKind = cursor.kind();
      kind[event] = (byte) eventKind.ordinal();
      boolean collective = eventKind.isCollective();
      flags[event] = (byte) (collective ? cursor.flow().ordinal() : cursor.flags());
      call[event] = (short) cursor.call();
      site[event] = cursor.site();
      peer[event] = cursor.peer();
      tag[event] = cursor.tag();
      comm[event] = cursor.comm() < 0 ? NONE : commHere[cursor.comm()];
      bytes[event] = (int) Math.min(cursor.bytes(), 0xffff_ffffL);
      start[event] = cursor.startNanos();
      duration[event] = (int) Math.min(cursor.durationNanos(), 0xffff_ffffL);
      link[event] = NONE;
      if (cursor.post() >= 0) {
        int post = first + (int) cursor.post();
        link[event] = post;
        boolean ends = eventKind != EventKind.CANCEL && eventKind != EventKind.FREE;
        if (ends && KINDS[kind[post]].isPost()) {
          link[post] = event;
        }
      }
      if (collective && cursor.peerCount() > 0) {
        int[] peers = new int[cursor.peerCount()];
        for (int i = 0; i < peers.length; i++) {
          peers[i] = cursor.peer(i);
        }
        listedOf.put(event, listed.size());
        listed.add(peers);
      }
    }

    /** Communicators that the recorder could not tell apart by identity differ in their members. */
    private int commOf(Communicator communicator) {
      long members = communicator.group().hashCode() + (long) communicator.remote().hashCode();
      long key = communicator.id() * 31 + members;
      int known = commOf.putIfAbsent(key, communicators.size());
      if (known == communicators.size()) {
        communicators.add(communicator);
      } else if (communicator.overtaking()) {
        // One rank may have said so, or have said so late: nobody's order can be relied on.
        communicators.set(known, communicator);
      }
      return known;
    }

    private void grow() {
      if (size >= Integer.MAX_VALUE - 8) {
        throw new TraceError(
            "the run has more events than can be analysed together",
            "more than " + size + " events",
            "record a shorter run");
      }
      int room = (int) Math.min(Integer.MAX_VALUE - 8, size + (size >> 1) + 16L);
      kind = Arrays.copyOf(kind, room);
      flags = Arrays.copyOf(flags, room);
      call = Arrays.copyOf(call, room);
      site = Arrays.copyOf(site, room);
      peer = Arrays.copyOf(peer, room);
      tag = Arrays.copyOf(tag, room);
      comm = Arrays.copyOf(comm, room);
      link = Arrays.copyOf(link, room);
      bytes = Arrays.copyOf(bytes, room);
      start = Arrays.copyOf(start, room);
      duration = Arrays.copyOf(duration, room);
    }

    public EventTable build() {
      return new EventTable(this);
    }
  }
}
