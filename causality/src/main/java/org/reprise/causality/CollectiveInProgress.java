package org.reprise.causality;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.reprise.causality.columns.IntList;
import org.reprise.trace.events.CollectiveFlow;
import org.reprise.trace.events.Communicator;
import org.reprise.trace.events.RankGroup;

/**
 * One collective while a {@link ClockPass} is in it: what its members knew when they came, and who
 * has to wait for whom, along the flow of data only.
 */
final class CollectiveInProgress {
  private final ClockPass pass;
  private final Collectives collectives;
  private final int instance;
  private final IntList waiting = new IntList();

  /** What all of a side knew; an intracommunicator has one side. */
  private final @Nullable Clock[] together = new Clock[2];

  private final int[] expectedOnSide = new int[2];
  private final int[] arrivedOnSide = new int[2];
  private @Nullable Clock root;
  private @Nullable Clock @Nullable [] each;

  private int left;

  CollectiveInProgress(ClockPass pass, Collectives collectives, int instance) {
    this.pass = pass;
    this.collectives = collectives;
    this.instance = instance;
    Communicator comm = collectives.communicator(instance);
    if (comm.inter()) {
      for (int rank = 0; rank < pass.ranks(); rank++) {
        if (collectives.call(instance, rank) >= 0) {
          expectedOnSide[collectives.side(instance, rank)]++;
        }
      }
    } else {
      expectedOnSide[0] = collectives.expected(instance);
    }
    if (collectives.each(instance)) {
      each = new Clock[pass.ranks()];
    }
  }

  void arrive(int rank, int begun, Clock clock) {
    int side = collectives.side(instance, rank);
    Clock sum = together[side];
    if (sum == null) {
      sum = pass.fresh();
      sum.copy(clock);
      sum.level++;
      sum.holders = 1;
      together[side] = sum;
    } else {
      sum.join(clock);
    }
    sum.raise(rank, begun);
    if (rank == collectives.root(instance)) {
      root = ClockPass.hold(clock);
    }
    if (each != null) {
      each[rank] = ClockPass.hold(clock);
    }
    arrivedOnSide[side]++;
    if (arrivedOnSide[side] == expectedOnSide[side]) {
      for (int i = 0; i < waiting.size(); i++) {
        pass.wakeRank(waiting.get(i));
      }
      waiting.clear();
    }
  }

  /**
   * The sides of which a rank gets what all members know, a bit each: of an intercommunicator the
   * other one, or both.
   */
  private static int sides(EventTable events, Collectives collectives, int call) {
    int instance = collectives.instance(call);
    int rank = events.rank(call);
    boolean inter = collectives.communicator(instance).inter();
    CollectiveFlow flow = events.flow(call);
    if (inter && flow == CollectiveFlow.EVERYBODY) {
      return 0b11;
    }
    boolean all =
        flow == CollectiveFlow.ALL
            || flow == CollectiveFlow.EVERYBODY
            || flow == CollectiveFlow.TO_ROOT && events.peer(call) == rank;
    int own = 1 << collectives.side(instance, rank);
    return !all ? 0 : inter ? 0b11 ^ own : own;
  }

  /**
   * The calls whose entries a call of a collective waits for, one by one; it is left to {@link
   * #isReady} to wait for all of them.
   */
  static void sources(EventTable events, Collectives collectives, int call, IntList into) {
    into.clear();
    int instance = collectives.instance(call);
    Communicator comm = collectives.communicator(instance);
    int rank = events.rank(call);
    int sides = sides(events, collectives, call);
    for (int side = 0; side < 2; side++) {
      RankGroup group = side == 0 ? comm.group() : comm.remote();
      for (int i = 0; (sides >> side & 1) != 0 && i < group.size(); i++) {
        add(collectives.call(instance, group.world(i)), call, into);
      }
    }
    switch (events.flow(call)) {
      case FROM_ROOT -> {
        if (events.peer(call) >= 0) {
          add(collectives.call(instance, events.peer(call)), call, into);
        }
      }
      case SCAN -> {
        int place = comm.group().indexOf(rank);
        for (int i = 0; i < place; i++) {
          add(collectives.call(instance, comm.group().world(i)), call, into);
        }
      }
      case LISTED -> {
        for (int source : events.listed(call)) {
          add(collectives.call(instance, source), call, into);
        }
      }
      default -> {}
    }
  }

  private static void add(int source, int call, IntList into) {
    if (source >= 0 && source != call) {
      into.add(source);
    }
  }

  /** Whether a call can return; if not, its rank is woken when that may have changed. */
  boolean isReady(int rank, int call) {
    EventTable events = pass.events();
    int sides = sides(events, collectives, call);
    if (sides != 0) {
      for (int side = 0; side < 2; side++) {
        if ((sides >> side & 1) != 0 && arrivedOnSide[side] < expectedOnSide[side]) {
          waiting.add(rank);
          return false;
        }
      }
      return true;
    }
    IntList sources = new IntList();
    sources(events, collectives, call, sources);
    for (int i = 0; i < sources.size(); i++) {
      if (!pass.hasBegun(rank, sources.get(i))) {
        return false;
      }
    }
    return true;
  }

  /** Tells a rank, which may return now, what it learns. */
  void give(int rank, int call, boolean blocking, int event) {
    EventTable events = pass.events();
    boolean inter = collectives.communicator(instance).inter();
    int sides = sides(events, collectives, call);
    if (sides != 0) {
      boolean isTold = false;
      for (int side = 0; side < 2; side++) {
        Clock sum = (sides >> side & 1) != 0 ? together[side] : null;
        isTold |= sum != null;
        if (sum != null && blocking && !inter) {
          pass.adopt(rank, sum);
        } else if (sum != null) {
          pass.changeable(rank).join(sum);
        }
      }
      if (isTold) {
        pass.learn(rank, event);
      }
      return;
    }
    IntList sources = new IntList();
    sources(events, collectives, call, sources);
    if (sources.isEmpty()) {
      return;
    }
    Clock clock = pass.changeable(rank);
    for (int i = 0; i < sources.size(); i++) {
      int source = events.rank(sources.get(i));
      Clock theirs = each != null ? each[source] : root;
      if (theirs != null) {
        clock.join(theirs);
        clock.raise(source, sources.get(i) - events.first(source) + 1);
      }
    }
    pass.learn(rank, event);
  }

  /** Counts a member that has returned; true if it was the last. */
  boolean left() {
    if (++left < collectives.expected(instance)) {
      return false;
    }
    for (Clock sum : together) {
      if (sum != null) {
        pass.release(sum);
      }
    }
    if (root != null) {
      pass.release(root);
    }
    if (each != null) {
      Arrays.stream(each).filter(clock -> clock != null).forEach(pass::release);
    }
    return true;
  }
}
