package org.reprise.causality;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.reprise.causality.columns.Column;
import org.reprise.causality.columns.IntList;
import org.reprise.trace.events.CollectiveFlow;
import org.reprise.trace.events.EventKind;

/**
 * Logical time: the entry and the return of every call, numbered so that each moment has a greater
 * number than all that had to happen before it, and the least such number (the longest path to it).
 * A call that waited for nobody takes one unit, a call that waited returns one unit after the entry
 * of the last call that it waited for.
 */
public final class LogicalTime {
  private final EventTable events;

  /** By rank: the entries of its calls, and how many units after it each returned. */
  private final Column[] entries;

  private final Column[] lengths;
  private long end;

  private LogicalTime(EventTable events) {
    this.events = events;
    entries = new Column[events.ranks()];
    lengths = new Column[events.ranks()];
    Arrays.setAll(entries, _ -> new Column());
    Arrays.setAll(lengths, _ -> new Column());
  }

  public static LogicalTime of(EventGraph graph) {
    LogicalTime time = new LogicalTime(graph.events());
    time.new Pass(graph).run();
    return time;
  }

  /** When a call began. */
  public long entry(int event) {
    int rank = events.rank(event);
    return entries[rank].get(event - events.first(rank));
  }

  /** When it returned; later than it began. */
  public long returned(int event) {
    int rank = events.rank(event);
    int number = event - events.first(rank);
    return entries[rank].get(number) + lengths[rank].get(number);
  }

  /** The latest return. */
  public long end() {
    return end;
  }

  /** Lets each rank go on until a call has to wait for the entry of another rank's call. */
  private final class Pass {
    private final EventGraph graph;
    private final Collectives collectives;
    private final ArrayDeque<Integer> ready = new ArrayDeque<>();
    private final IntList sources = new IntList();

    /** By rank: who waits for one of its entries, and the lowest number that is awaited. */
    private final IntList[] waiters;

    private final int[] lowestAwaited;

    /** By rank: the return of its last call. */
    private final long[] last;

    /** By collective: how many members have come, the latest entry, and who waits for the rest. */
    private final int[] arrived;

    private final long[] latest;
    private final Map<Integer, IntList> gathered = new HashMap<>();

    Pass(EventGraph graph) {
      this.graph = graph;
      collectives = graph.collectives();
      int ranks = events.ranks();
      waiters = new IntList[ranks];
      Arrays.setAll(waiters, _ -> new IntList());
      lowestAwaited = new int[ranks];
      Arrays.fill(lowestAwaited, Integer.MAX_VALUE);
      last = new long[ranks];
      Arrays.fill(last, -1);
      arrived = new int[collectives.instances()];
      latest = new long[collectives.instances()];
    }

    void run() {
      for (int rank = 0; rank < events.ranks(); rank++) {
        ready.add(rank);
      }
      while (!ready.isEmpty()) {
        advance(ready.poll());
      }
      for (int rank = 0; rank < events.ranks(); rank++) {
        // Where traces contradict each other, only the order of the rank itself is left.
        while (lengths[rank].size() < events.size(rank)) {
          if (entries[rank].size() == lengths[rank].size()) {
            entries[rank].add(last[rank] + 1);
          }
          leave(rank, last[rank] + 2);
        }
        end = Math.max(end, last[rank]);
      }
    }

    private void advance(int rank) {
      int size = graph.clocks().processed(rank);
      while (lengths[rank].size() < size) {
        int number = lengths[rank].size();
        int event = events.event(rank, number);
        if (entries[rank].size() == number) {
          enter(rank, event);
        }
        long returned = returnOf(rank, event);
        if (returned < 0) {
          return;
        }
        leave(rank, returned);
      }
    }

    private void enter(int rank, int event) {
      entries[rank].add(last[rank] + 1);
      if (events.kind(event).isCollective()) {
        int instance = collectives.instance(event);
        arrived[instance]++;
        latest[instance] = Math.max(latest[instance], last[rank] + 1);
        IntList waiting =
            arrived[instance] == collectives.expected(instance) ? gathered.remove(instance) : null;
        for (int i = 0; waiting != null && i < waiting.size(); i++) {
          ready.add(waiting.get(i));
        }
      }
      if (entries[rank].size() > lowestAwaited[rank]) {
        lowestAwaited[rank] = Integer.MAX_VALUE;
        IntList woken = waiters[rank];
        waiters[rank] = new IntList();
        for (int i = 0; i < woken.size(); i++) {
          ready.add(woken.get(i));
        }
      }
    }

    private void leave(int rank, long returned) {
      lengths[rank].add(returned - last[rank] - 1);
      last[rank] = returned;
    }

    /** When a call that has begun returned; -1 if that cannot be said yet. */
    private long returnOf(int rank, int event) {
      long returned = last[rank] + 2;
      if (!graph.clocks().hasLearned(event)) {
        return returned;
      }
      int began = events.kind(event) == EventKind.COMPLETE ? events.link(event) : event;
      if (events.kind(began).isCollective() && waitsForAll(began)) {
        int instance = collectives.instance(began);
        if (arrived[instance] < collectives.expected(instance)) {
          gathered.computeIfAbsent(instance, _ -> new IntList()).add(rank);
          return EventTable.NONE;
        }
        return Math.max(returned, latest[instance] + 1);
      }
      graph.sources(event, sources);
      for (int i = 0; i < sources.size(); i++) {
        int source = sources.get(i);
        int of = events.rank(source);
        int number = source - events.first(of);
        if (number >= entries[of].size()) {
          if (number >= graph.clocks().processed(of)) {
            continue;
          }
          waiters[of].add(rank);
          lowestAwaited[of] = Math.min(lowestAwaited[of], number);
          return EventTable.NONE;
        }
        returned = Math.max(returned, entries[of].get(number) + 1);
      }
      return returned;
    }

    /** What everybody waits for is looked at once, not by each member for each other one. */
    private boolean waitsForAll(int call) {
      CollectiveFlow flow = events.flow(call);
      boolean all =
          flow == CollectiveFlow.ALL
              || flow == CollectiveFlow.EVERYBODY
              || flow == CollectiveFlow.TO_ROOT && events.peer(call) == events.rank(call);
      return all && !collectives.communicator(collectives.instance(call)).inter();
    }
  }
}
