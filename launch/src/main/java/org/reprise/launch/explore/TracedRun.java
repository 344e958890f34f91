package org.reprise.launch.explore;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.reprise.exploration.CallNumbering;
import org.reprise.exploration.RankTrace;
import org.reprise.launch.interposer.CallTable;
import org.reprise.trace.MpiFamily;
import org.reprise.trace.Rank;
import org.reprise.trace.events.CallSites;
import org.reprise.trace.events.CollectiveFlow;
import org.reprise.trace.events.Communicator;
import org.reprise.trace.events.Event;
import org.reprise.trace.events.EventFlag;
import org.reprise.trace.events.EventKind;
import org.reprise.trace.events.EventReader;
import org.reprise.trace.file.RankHeader;
import org.reprise.trace.file.WaitNote;
import org.reprise.trace.file.Wire;
import org.reprise.trace.order.OrderReader;
import org.reprise.trace.order.RankPlan;
import org.reprise.trace.run.RankRecords;
import org.reprise.trace.run.RecordedRun;

/** What the ranks of a run did, as an exploration wants it. */
public final class TracedRun {
  /**
   * Messages of so many bytes every MPI lets go before they are received, unless it is told not to.
   */
  private static final long BUFFERED_BYTES = 1024;

  private static final Set<String> STARTS =
      Set.copyOf(CallTable.ofInterposer().named(CallTable.Role.STARTS));
  private static final Set<String> POSTS =
      Set.copyOf(CallTable.ofInterposer().named(CallTable.Role.POSTS));

  /** The outcomes of each rank; nothing for ranks that left none. */
  public static List<RankPlan> orders(RecordedRun run) {
    return orders(run, run.directory());
  }

  private static List<RankPlan> orders(RecordedRun run, RankRecords records) {
    RankPlan[] orders = new RankPlan[run.ranks()];
    Arrays.fill(orders, RankPlan.FREE);
    for (Rank rank : run.ranksPresent()) {
      try (OrderReader order = records.openOrder(rank)) {
        orders[rank.number()] = RankPlan.of(order);
      }
    }
    return List.of(orders);
  }

  /** Events and outcomes of each rank. */
  static List<RankTrace> traces(RecordedRun run) {
    return traces(run, run.directory());
  }

  /**
   * The same of an execution that need not be on disk.
   *
   * @param records what its ranks recorded
   */
  static List<RankTrace> traces(RecordedRun run, RankRecords records) {
    List<RankTrace> traces = new ArrayList<>();
    List<RankPlan> orders = orders(run, records);
    for (int number = 0; number < run.ranks(); number++) {
      Rank rank = new Rank(number);
      if (!run.ranksPresent().contains(rank) || !records.hasEvents(rank)) {
        traces.add(RankTrace.NONE);
        continue;
      }
      try (EventReader events = records.openEvents(rank)) {
        traces.add(withBlockedSend(RankTrace.of(events, orders.get(number)), run, rank));
      }
    }
    return traces;
  }

  /**
   * A rank that was ended inside a blocking send has no event of it: those are written when a call
   * returns. Its message was there to be taken all the same.
   */
  private static RankTrace withBlockedSend(RankTrace trace, RecordedRun run, Rank rank) {
    RankHeader header = run.header(rank);
    Optional<WaitNote> blocked =
        header.state() == Wire.State.RUNNING
            ? header.waits().stream().filter(note -> note.what() == Wire.Wait.SEND).findFirst()
            : Optional.empty();
    Optional<Integer> call = header.currentCall();
    if (blocked.isEmpty() || call.isEmpty()) {
      return trace;
    }
    for (int comm = 0; comm < trace.communicators().size(); comm++) {
      Communicator communicator = trace.communicators().get(comm);
      if ((int) communicator.id() == blocked.get().comm()) {
        List<Event> events = new ArrayList<>(trace.events());
        events.add(
            new Event(
                events.size(),
                EventKind.SEND,
                EnumSet.of(EventFlag.SYNC),
                call.get(),
                0,
                communicator.peers().world(blocked.get().peer()),
                blocked.get().tag(),
                CollectiveFlow.NONE,
                comm,
                -1,
                0,
                0,
                0,
                0,
                List.of()));
        return new RankTrace(trace.communicators(), events, trace.order());
      }
    }
    return trace;
  }

  /** What the numbers of the run's calls mean. */
  public static CallNumbering numbering(RecordedRun run) {
    return numbering(run, run.directory());
  }

  static CallNumbering numbering(RecordedRun run, RankRecords records) {
    List<String> names = run.description().callNames();
    Map<Integer, CallSites> places = new HashMap<>();
    return new CallNumbering() {
      @Override
      public String name(int call) {
        return call >= 0 && call < names.size() ? names.get(call) : "";
      }

      @Override
      public long place(int rank, int site) {
        return places
            .computeIfAbsent(rank, r -> records.sites(new Rank(r)))
            .site(site)
            .map(where -> (long) where.hashCode())
            .orElse(0L);
      }

      @Override
      public boolean knowsOpenReceives(int rank) {
        return run.description().mpi().family() == MpiFamily.EMBEDDED
            || run.ranksPresent().contains(new Rank(rank))
                && run.header(new Rank(rank)).state() == Wire.State.FINALIZED;
      }

      @Override
      public boolean buffers(int rank, long bytes) {
        return run.description().mpi().family() == MpiFamily.EMBEDDED || bytes <= BUFFERED_BYTES;
      }

      @Override
      public boolean takesPost(int call, EventKind kind, boolean joined) {
        return STARTS.contains(name(call)) ? kind.isPost() : POSTS.contains(name(call)) && !joined;
      }
    };
  }

  /** A plan as an engine takes it. */
  public static Map<Rank, RankPlan> byRank(List<RankPlan> plan) {
    Map<Rank, RankPlan> ranks = new HashMap<>();
    for (int rank = 0; rank < plan.size(); rank++) {
      ranks.put(new Rank(rank), plan.get(rank));
    }
    return ranks;
  }

  private TracedRun() {}
}
