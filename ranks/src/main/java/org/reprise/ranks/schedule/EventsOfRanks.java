package org.reprise.ranks.schedule;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.reprise.ranks.engine.JobRank;
import org.reprise.ranks.engine.Wait;

/** What may happen at each rank as things are. */
final class EventsOfRanks {
  private final JobRank[] ranks;
  private final Seats seats;
  private final FailingPolls polls;
  private boolean isCutShort;

  EventsOfRanks(JobRank[] ranks, Seats seats, FailingPolls polls) {
    this.ranks = ranks;
    this.seats = seats;
    this.polls = polls;
  }

  /** Whether a call had more outcomes than could be offered. */
  boolean isCutShort() {
    return isCutShort;
  }

  /** Of one rank. Whatever changes them says so to the agenda. */
  List<PossibleEvent> of(int number) {
    JobRank rank = ranks[number];
    if (!rank.isShared()) {
      return of(seats.first(number));
    }
    // Two threads may wait for what the same receive gets.
    Set<PossibleEvent> all = new LinkedHashSet<>();
    seats
        .of(rank)
        .forEach(
            seat -> {
              for (PossibleEvent event : of(seat)) {
                all.add(event.decision == null ? event : event.in(seat.thread));
              }
            });
    return List.copyOf(all);
  }

  private PossibleEvents of(Seat seat) {
    PossibleEvents events = new PossibleEvents();
    Wait wait = seat.canRun ? null : seat.waiter.wait;
    // A rank's first thread stands for the rank: a send to it may be awaited whatever it does.
    boolean counts = seat.thread == 0 && (seat.rank.isShared() || seat.rank.end != null);
    if (wait != null || counts) {
      boolean mayFail = wait != null && seat.asks && polls.mayFail(seat, wait);
      Choices.add(seat.rank, wait, wait != null && seat.asks, mayFail, events);
    }
    isCutShort |= events.isCutShort();
    return events;
  }

  /** Of all ranks, asked again. */
  List<PossibleEvent> ofAll() {
    return Arrays.stream(ranks).flatMap(rank -> of(rank.number).stream()).toList();
  }
}
