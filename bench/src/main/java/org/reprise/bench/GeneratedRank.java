package org.reprise.bench;

import java.util.List;
import org.reprise.trace.events.CollectiveFlow;
import org.reprise.trace.events.Communicator;
import org.reprise.trace.events.EventCursor;
import org.reprise.trace.events.EventFlag;
import org.reprise.trace.events.EventKind;
import org.reprise.trace.events.RankGroup;

/**
 * The events of one rank of a program that nobody ran, made one after the other. Whatever a rank
 * does follows from its number and the round, so that ranks agree without knowing of each other.
 */
final class GeneratedRank implements EventCursor {
  /** What a program does over and over. */
  enum Shape {
    /** Each rank exchanges with two neighbours, without blocking, and every tenth round reduces. */
    STENCIL,
    /** Rank 0 hands work to the others and takes results from whoever is done. */
    WORKERS,
    /** Each rank sends to a rank that changes from round to round and receives from any source. */
    SCATTERED,
    /**
     * Each rank sends to three ranks that change from round to round. Of its own three messages it
     * takes one by a receive from any source, one by a non-blocking one that Waitany completes, and
     * one after it polled for it. Now and then all reduce, or the root broadcasts.
     */
    MIXED
  }

  /** What {@link #call} numbers. */
  static final List<String> CALLS =
      List.of(
          "Init", "Finalize", "Send", "Recv", "Irecv", "Waitany", "Iprobe", "Allreduce", "Bcast");

  private static final int WILD = EventFlag.ANY_SOURCE.bit();
  private static final int POLL = EventFlag.POLL.bit();
  private static final int MIXED_STEPS = 9;

  private final Shape shape;
  private final int rank;
  private final int ranks;
  private final long limit;
  private final Communicator world;
  private long number = -1;
  private long round;
  private int step = -1;

  private EventKind kind = EventKind.NONE;
  private int flags;
  private int peer;
  private int tag;
  private CollectiveFlow flow = CollectiveFlow.NONE;
  private long post;
  private int site;

  /** {@code events} are those of all ranks together, about. */
  GeneratedRank(Shape shape, int rank, int ranks, long events) {
    this.shape = shape;
    this.rank = rank;
    this.ranks = ranks;
    limit =
        switch (shape) {
          case STENCIL -> Math.max(1, events / ranks * 10 / 71);
          case WORKERS -> Math.max(1, events / (4L * (ranks - 1)));
          case SCATTERED -> Math.max(1, events / ranks / 2);
          case MIXED -> Math.max(1, events * 16 / (MIXED_STEPS * 16 + 2) / ranks);
        };
    world = Communicator.of(1, RankGroup.run(0, ranks, 1));
  }

  @Override
  public boolean advance() {
    number++;
    post = NO_EVENT;
    flags = 0;
    flow = CollectiveFlow.NONE;
    tag = 0;
    step++;
    return switch (shape) {
      case STENCIL -> stencil();
      case WORKERS -> rank == 0 ? master() : worker();
      case SCATTERED -> scattered();
      case MIXED -> mixed();
    };
  }

  private boolean stencil() {
    if (step == (round % 10 == 0 ? 8 : 7)) {
      step = 0;
      round++;
    }
    if (round >= limit) {
      return false;
    }
    int left = (rank + ranks - 1) % ranks;
    int right = (rank + 1) % ranks;
    site = step + 1;
    switch (step) {
      case 0 -> set(EventKind.POST_RECV, left, 1);
      case 1 -> set(EventKind.POST_RECV, right, 2);
      case 2 -> set(EventKind.SEND, right, 1);
      case 3 -> set(EventKind.SEND, left, 2);
      case 4 -> complete(left, 1, 4);
      case 5 -> complete(right, 2, 4);
      case 6 -> set(EventKind.LOCAL, ANY, ANY);
      default -> {
        set(EventKind.COLLECTIVE, ANY, ANY);
        flow = CollectiveFlow.ALL;
      }
    }
    return true;
  }

  /** First a task for everybody, then a result and a new task at a time. */
  private boolean master() {
    long tasks = limit * (ranks - 1);
    long index = number;
    if (index < ranks - 1) {
      set(EventKind.SEND, (int) index + 1, 1);
      site = 1;
      return true;
    }
    index -= ranks - 1;
    long result = index / 2;
    if (result >= tasks) {
      return false;
    }
    // Another order in every round, as if workers took turns at being quick.
    long turn = result / (ranks - 1);
    int worker = (int) ((result + turn * 7) % (ranks - 1)) + 1;
    if (index % 2 == 0) {
      set(EventKind.RECV, worker, 2);
      flags = WILD;
      site = 2;
    } else if (turn + 1 < limit) {
      set(EventKind.SEND, worker, 1);
      site = 3;
    } else {
      set(EventKind.LOCAL, ANY, ANY);
      site = 4;
    }
    return true;
  }

  private boolean worker() {
    if (number >= 2 * limit) {
      return false;
    }
    if (number % 2 == 0) {
      set(EventKind.RECV, 0, 1);
      site = 5;
    } else {
      set(EventKind.SEND, 0, 2);
      site = 6;
    }
    return true;
  }

  private boolean scattered() {
    if (number >= 2 * limit) {
      return false;
    }
    int shift = 1 + (int) ((number / 2 * 0x9E3779B1L >>> 8) % (ranks - 1));
    if (number % 2 == 0) {
      set(EventKind.SEND, (rank + shift) % ranks, 0);
      site = 1;
    } else {
      set(EventKind.RECV, (rank - shift + ranks) % ranks, 0);
      flags = WILD;
      site = 2;
    }
    return true;
  }

  private boolean mixed() {
    boolean reduces = round % 8 == 0;
    if (step == MIXED_STEPS + (reduces ? 1 : 0)) {
      step = 0;
      round++;
      reduces = round % 8 == 0;
    }
    if (round >= limit) {
      return false;
    }
    site = step + 1;
    int roundTag = 1 + (int) (round & 3);
    switch (step) {
      case 0 -> {
        set(EventKind.POST_RECV, ANY, roundTag);
        flags = WILD;
      }
      case 1 -> set(EventKind.SEND, to(1), roundTag);
      case 2 -> set(EventKind.SEND, to(2), roundTag);
      case 3 -> set(EventKind.SEND, to(3), 9);
      case 4 -> {
        set(EventKind.RECV, from(2), roundTag);
        flags = WILD;
      }
      case 5 -> {
        complete(from(1), roundTag, 5);
        flags = POLL;
      }
      case 6 -> set(EventKind.POLLS, ANY, ANY);
      case 7 -> {
        set(EventKind.PROBE, from(3), 9);
        flags = WILD | POLL;
      }
      case 8 -> set(EventKind.RECV, from(3), 9);
      default -> {
        boolean all = round % 16 == 0;
        set(EventKind.COLLECTIVE, all ? ANY : 0, ANY);
        flow = all ? CollectiveFlow.ALL : CollectiveFlow.FROM_ROOT;
      }
    }
    return true;
  }

  /** By how much the i-th destination of this round is ahead of the sender. */
  private int shift(int i) {
    return 1 + (int) (((4 * round + i) * 0x9E3779B1L >>> 8) % (ranks - 1));
  }

  private int to(int i) {
    return (rank + shift(i)) % ranks;
  }

  private int from(int i) {
    return (rank - shift(i) + ranks) % ranks;
  }

  private void set(EventKind newKind, int newPeer, int newTag) {
    kind = newKind;
    peer = newPeer;
    tag = newTag;
  }

  private void complete(int source, int itsTag, int back) {
    set(EventKind.COMPLETE, source, itsTag);
    post = number - back;
  }

  @Override
  public int rank() {
    return rank;
  }

  @Override
  public int ranks() {
    return ranks;
  }

  @Override
  public long number() {
    return number;
  }

  @Override
  public EventKind kind() {
    return kind;
  }

  @Override
  public int flags() {
    return flags;
  }

  @Override
  public int call() {
    return CALLS.indexOf(
        switch (kind) {
          case SEND -> "Send";
          case RECV -> "Recv";
          case POST_RECV -> "Irecv";
          case COMPLETE -> "Waitany";
          case PROBE, POLLS -> "Iprobe";
          case COLLECTIVE -> flow == CollectiveFlow.ALL ? "Allreduce" : "Bcast";
          default -> "Init";
        });
  }

  @Override
  public int site() {
    return site;
  }

  @Override
  public int peer() {
    return peer;
  }

  @Override
  public int tag() {
    return tag;
  }

  @Override
  public CollectiveFlow flow() {
    return flow;
  }

  @Override
  public int comm() {
    return kind == EventKind.LOCAL || kind == EventKind.POLLS ? -1 : 0;
  }

  @Override
  public long post() {
    return post;
  }

  @Override
  public long bytes() {
    return 8;
  }

  @Override
  public long startNanos() {
    return 1000 * number;
  }

  @Override
  public long durationNanos() {
    return 500;
  }

  @Override
  public int thread() {
    return 0;
  }

  @Override
  public int peerCount() {
    return 0;
  }

  @Override
  public int peer(int index) {
    throw new IndexOutOfBoundsException(index);
  }

  @Override
  public Communicator communicator(int index) {
    return world;
  }

  @Override
  public int communicators() {
    return 1;
  }
}
