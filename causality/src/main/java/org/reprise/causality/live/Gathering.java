package org.reprise.causality.live;

import java.util.HashMap;
import java.util.Map;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.reprise.causality.columns.IntList;
import org.reprise.trace.events.CollectiveFlow;
import org.reprise.trace.events.Communicator;

/**
 * One collective under way: the calls of its members that belong together, and what those knew who
 * came. Who waits for whom follows the data.
 */
final class Gathering {
  /** The call of one member. */
  static final class Part {
    final int rank;
    final int number;
    final CollectiveFlow flow;
    final int root;
    final int[] listed;
    private int @Nullable [] brought;
    private boolean waits;

    Part(int rank, int number, CollectiveFlow flow, int root, int[] listed) {
      this.rank = rank;
      this.number = number;
      this.flow = flow;
      this.root = root;
      this.listed = listed;
    }
  }

  /** In place of a rank that is waited for. */
  static final int NOBODY = -1;

  static final int SOMEBODY = -2;

  private final IntList waiters = new IntList();
  private final Communicator comm;
  private final Map<Integer, Part> parts = new HashMap<>();

  /** By side, of which an intracommunicator has one: the calls read, and those entered. */
  private final int[] read = new int[2];

  private final int[] arrived = new int[2];

  /** What all of a side brought, once all of them have come. */
  private final int[] @Nullable [] together = new int[2][];

  private final Runnable whenLeft;
  private int left;

  /** Whether all calls were read that ever will be. */
  private boolean closed;

  Gathering(Communicator comm, Runnable whenLeft) {
    this.comm = comm;
    this.whenLeft = whenLeft;
  }

  void add(Part part) {
    parts.put(part.rank, part);
    read[side(part.rank)]++;
  }

  /** No other calls belong to it. */
  void close() {
    closed = true;
  }

  private int side(int rank) {
    return comm.inter() && comm.group().indexOf(rank) < 0 ? 1 : 0;
  }

  /** The member goes on when all of a side have come. */
  void await(Part part) {
    if (!part.waits) {
      part.waits = true;
      waiters.add(part.rank);
    }
  }

  private boolean isWhole(int side) {
    int members = side == 0 ? comm.group().size() : comm.remote().size();
    return arrived[side] >= (closed ? read[side] : members);
  }

  /** A member enters; those who go on now are woken. */
  void arrive(Part part, int[] knows, IntConsumer wake) {
    part.brought = knows;
    arrived[side(part.rank)]++;
    if (isWhole(side(part.rank))) {
      for (int i = 0; i < waiters.size(); i++) {
        wake.accept(waiters.get(i));
      }
      if (!comm.inter()) {
        waiters.clear();
      }
    }
  }

  /** A member has its data. */
  void leave() {
    left++;
    if (left == comm.group().size() + comm.remote().size()) {
      whenLeft.run();
    }
  }

  /** Shows what those knew of a rank who came. */
  void brought(int of, IntConsumer show) {
    for (Part part : parts.values()) {
      int[] brought = part.brought;
      if (brought != null) {
        show.accept(part.rank == of ? part.number + 1 : brought[of]);
      }
    }
  }

  /**
   * A rank that a member waits for, which has not come yet; {@link #SOMEBODY} if it waits for all
   * of a side, {@link #NOBODY} if for none.
   */
  int missing(Part part) {
    return visit(part, null);
  }

  /** Gives a member what it waited for. */
  void give(Part part, LiveRank to) {
    visit(part, to);
  }

  private int visit(Part part, @Nullable LiveRank to) {
    int own = side(part.rank);
    int other = comm.inter() ? 1 - own : own;
    return switch (part.flow) {
      case EVERYBODY -> first(all(own, to), other == own ? NOBODY : all(other, to));
      case ALL -> all(other, to);
      case TO_ROOT -> part.root != part.rank ? NOBODY : all(other, to);
      case FROM_ROOT -> part.root < 0 ? NOBODY : from(part.root, part, to);
      case SCAN -> {
        int missing = NOBODY;
        int place = comm.group().indexOf(part.rank);
        for (int i = 0; missing == NOBODY && i < place; i++) {
          missing = from(comm.group().world(i), part, to);
        }
        yield missing;
      }
      case LISTED -> {
        int missing = NOBODY;
        for (int i = 0; missing == NOBODY && i < part.listed.length; i++) {
          missing = from(part.listed[i], part, to);
        }
        yield missing;
      }
      default -> NOBODY;
    };
  }

  private static int first(int missing, int other) {
    return missing == NOBODY ? other : missing;
  }

  private int all(int side, @Nullable LiveRank to) {
    if (!isWhole(side)) {
      return SOMEBODY;
    }
    if (to != null) {
      int[] sum = together[side];
      if (sum == null) {
        sum = sum(side);
        together[side] = sum;
      }
      if (sum.length > 0) {
        to.learn(sum, to.number, 0);
      }
    }
    return NOBODY;
  }

  private int[] sum(int side) {
    int[] sum = {};
    for (Part part : parts.values()) {
      int[] brought = part.brought;
      if (brought != null && side(part.rank) == side) {
        sum = sum.length == 0 ? new int[brought.length] : sum;
        for (int i = 0; i < sum.length; i++) {
          sum[i] = Math.max(sum[i], brought[i]);
        }
        sum[part.rank] = Math.max(sum[part.rank], part.number + 1);
      }
    }
    return sum;
  }

  private int from(int rank, Part part, @Nullable LiveRank to) {
    Part theirs = parts.get(rank);
    if (theirs == null) {
      return closed ? NOBODY : rank;
    }
    int[] brought = theirs.brought;
    if (brought == null) {
      return rank == part.rank ? NOBODY : rank;
    }
    if (to != null && rank != part.rank) {
      to.learn(brought, rank, theirs.number + 1);
    }
    return NOBODY;
  }
}
