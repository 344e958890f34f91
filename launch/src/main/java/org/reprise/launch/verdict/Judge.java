package org.reprise.launch.verdict;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.reprise.launch.interposer.CallTable;
import org.reprise.launch.interposer.CallTable.Role;
import org.reprise.trace.Counted;
import org.reprise.trace.Location;
import org.reprise.trace.Rank;
import org.reprise.trace.file.Divergence;
import org.reprise.trace.file.HeaderField;
import org.reprise.trace.file.LiveRankFile;
import org.reprise.trace.file.RankHeader;
import org.reprise.trace.file.Wire;
import org.reprise.trace.order.NumberedOutcome;
import org.reprise.trace.order.OrderReader;
import org.reprise.trace.run.RecordedRun;

/**
 * Compares what the ranks left in a replay with what they left in the recording. A note that a rank
 * made when it diverged says the most; after that comes what only the end shows.
 */
public final class Judge {
  private final RecordedRun recorded;
  private final SortedMap<Rank, RankHeader> replayed;

  private final Function<RankHeader, Optional<Location>> places;

  /**
   * A judge.
   *
   * @param places where in the source a rank is that has this header, if that is known
   */
  public Judge(
      RecordedRun recorded,
      SortedMap<Rank, RankHeader> replayed,
      Function<RankHeader, Optional<Location>> places) {
    this.recorded = recorded;
    this.replayed = replayed;
    this.places = places;
  }

  /**
   * The verdict.
   *
   * @param stall what the watch saw, if it ended the replay
   * @param interrupted whether the user did
   */
  public Verdict verdict(Optional<Stall> stall, boolean interrupted) {
    // Another number of ranks first: everything else follows from it.
    Optional<Verdict> diverged = divergedBySize().or(this::divergedByNote);
    if (diverged.isPresent()) {
      return diverged.get();
    }
    List<Verdict.RankProgress> unfinished = unfinished(interrupted);
    boolean endedEarly = !unfinished.isEmpty() && !endedAsRecorded(unfinished);
    // Where nothing was left to replay, ranks may rest as they did then; not if they had finished.
    if (stall.isPresent() && (!stall.get().atRest() || endedEarly)) {
      return new Verdict.Stuck(
          stall.get().limit().toSeconds(),
          stall.get().headers().values().stream()
              .map(header -> waitingPlace(header, stall.get().stopped().contains(header.rank())))
              .toList(),
          soft());
    }
    if (!unfinished.isEmpty() && (interrupted || endedEarly)) {
      return interrupted
          ? new Verdict.Interrupted(unfinished, soft())
          : new Verdict.EndedEarly(unfinished, soft());
    }
    return divergedByHash().orElseGet(() -> sameOrder(stall, unfinished));
  }

  /**
   * A rank that aborts or crashes takes the others with it, and how far these are by then is not an
   * outcome: the launcher's signal meets them sooner in one run than in another. It ended as
   * recorded if a rank came to its recorded end before MPI_Finalize. Others may have come to theirs
   * in the recording and not now, even to MPI_Finalize. Where the JVM of all ranks was killed, no
   * rank ended the run, and a replay has no reason to end before all of them are there.
   */
  private boolean endedAsRecorded(List<Verdict.RankProgress> unfinished) {
    Set<Rank> missing =
        unfinished.stream().map(Verdict.RankProgress::rank).collect(Collectors.toSet());
    return recorded.headers().values().stream()
            .anyMatch(
                then -> isCutOff(then) && !isOfAKilledJvm(then) && !missing.contains(then.rank()))
        && replayed.keySet().containsAll(missing);
  }

  private static boolean isCutOff(RankHeader then) {
    return then.state() != Wire.State.FINALIZED;
  }

  private Verdict sameOrder(Optional<Stall> rest, List<Verdict.RankProgress> endedSooner) {
    return new Verdict.SameOrder(
        recorded.headers().size(),
        recorded.headers().values().stream().mapToLong(RankHeader::outcomes).sum(),
        recorded.headers().values().stream()
            .filter(header -> header.state() != Wire.State.FINALIZED)
            .map(header -> lastPlace(header, rest.flatMap(met -> met.sameAs(header))))
            .toList(),
        rest.isPresent(),
        endedSooner,
        notReplayed(),
        soft());
  }

  /** What the recording does not hold, and what this replay could not give the ranks. */
  private List<String> notReplayed() {
    List<String> what = new ArrayList<>();
    RecordingGap.of(recorded).forEach(gap -> what.add(gap.what()));
    List<Rank> beyond =
        replayed.values().stream()
            .filter(header -> header.get(HeaderField.INPUTS_UNMATCHED) > 0)
            .map(RankHeader::rank)
            .toList();
    if (!beyond.isEmpty() && recorded.description().inputs()) {
      what.add("some clock or random values of " + Ranks.text(beyond));
    }
    List<Rank> free =
        replayed.values().stream()
            .filter(header -> header.has(Wire.Flag.TURNS_GIVEN_UP))
            .map(RankHeader::rank)
            .toList();
    if (!free.isEmpty()) {
      what.add("the order among threads of " + Ranks.text(free));
    }
    return what;
  }

  private Optional<Verdict> divergedByNote() {
    List<RankHeader> noted =
        replayed.values().stream()
            .filter(header -> header.divergence().isPresent())
            .sorted(Comparator.comparingLong(h -> h.get(HeaderField.DIVERGENCE_NANOS)))
            .toList();
    if (noted.isEmpty()) {
      return Optional.empty();
    }
    RankHeader first = noted.getFirst();
    List<Rank> others = noted.stream().skip(1).map(RankHeader::rank).sorted().toList();
    return Optional.of(
        new Verdict.Diverged(
            departure(first.rank(), first.divergence().orElseThrow()), others, soft()));
  }

  private Verdict.Departure departure(Rank rank, Divergence note) {
    String call = recorded.description().callName(note.call());
    return new Verdict.Departure(
        rank,
        Optional.of(note.outcome()),
        Optional.of(call),
        note.callNumber(),
        expected(rank, note),
        found(call, note));
  }

  private String expected(Rank rank, Divergence note) {
    return switch (note.what()) {
      case MORE_CALLS -> "MPI_Finalize; nothing is left to replay";
      case OTHER_MESSAGES ->
          "order hash ending in %08x after %s"
              .formatted((int) note.expectedSecond(), Counted.of(note.foundSecond(), "message"));
      case SAME, OTHER_CALL, OTHER_REQUESTS, FEWER_CALLS ->
          recordedOutcome(rank, note.outcome())
              .map(next -> OutcomeWords.of(next.outcome()))
              .orElse("outcome " + note.outcome());
    };
  }

  private Optional<NumberedOutcome> recordedOutcome(Rank rank, long number) {
    if (!recorded.headers().containsKey(rank)) {
      return Optional.empty();
    }
    try (OrderReader order = recorded.directory().openOrder(rank)) {
      while (order.hasNext()) {
        NumberedOutcome next = order.next();
        if (next.number() == number) {
          return Optional.of(next);
        }
      }
    }
    return Optional.empty();
  }

  private static String found(String call, Divergence note) {
    return switch (note.what()) {
      case SAME, OTHER_CALL -> call + asked(call, note);
      case OTHER_REQUESTS -> call + asked(call, note) + ", among which it is not";
      case MORE_CALLS -> call;
      case FEWER_CALLS -> "MPI_Finalize";
      case OTHER_MESSAGES ->
          "order hash ending in %08x: a message has another size, tag, source or communicator"
              .formatted((int) note.foundFirst());
    };
  }

  /** What the program asked for: requests in completion calls, else a source and a tag. */
  private static String asked(String call, Divergence note) {
    CallTable calls = CallTable.ofInterposer();
    if (calls.has(call, Role.COMPLETES) && calls.has(call, Role.SEVERAL)) {
      return " of " + Counted.of(note.foundFirst(), "request");
    }
    return calls.has(call, Role.RECEIVES) || calls.has(call, Role.PROBES)
        ? " from " + any("source", note.foundFirst()) + ", " + any("tag", note.foundSecond())
        : "";
  }

  /** Every MPI has negative numbers for its wildcards, if not the same ones. */
  private static String any(String what, long number) {
    return number < 0 ? "any " + what : what + " " + number;
  }

  private Optional<Verdict> divergedBySize() {
    return replayed.values().stream()
        .filter(header -> header.ranks() != recorded.ranks())
        .findFirst()
        .map(
            header ->
                new Verdict.Diverged(
                    new Verdict.Departure(
                        header.rank(),
                        Optional.empty(),
                        Optional.empty(),
                        0,
                        "a job of " + Counted.of(recorded.ranks(), "rank"),
                        "a job of " + Counted.of(header.ranks(), "rank")),
                    List.of(),
                    soft()));
  }

  private Optional<Verdict> divergedByHash() {
    List<Verdict.Departure> departures = new ArrayList<>();
    for (Map.Entry<Rank, RankHeader> entry : recorded.headers().entrySet()) {
      RankHeader then = entry.getValue();
      RankHeader now = replayed.get(entry.getKey());
      if (now == null || !hasReachedItsEnd(then, now) || then.has(Wire.Flag.CONCURRENT)) {
        continue;
      }
      boolean finalized = then.state() == Wire.State.FINALIZED;
      long events = finalized ? now.events() : then.events();
      long hash = finalized ? now.orderHash() : now.get(HeaderField.HASH_AT_END);
      boolean nothingHappened = events == 0 && then.events() == 0;
      if (!nothingHappened && (events != then.events() || hash != then.orderHash())) {
        departures.add(
            new Verdict.Departure(
                entry.getKey(),
                Optional.empty(),
                Optional.empty(),
                now.calls(),
                hashText(then.events(), then.orderHash()),
                hashText(events, hash)));
      }
    }
    return departures.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Verdict.Diverged(
                departures.getFirst(),
                departures.stream().skip(1).map(Verdict.Departure::rank).toList(),
                soft()));
  }

  private static String hashText(long events, long hash) {
    return "%s with order hash %016x".formatted(Counted.of(events, "message"), hash);
  }

  private List<Verdict.RankProgress> unfinished(boolean interrupted) {
    List<Verdict.RankProgress> unfinished = new ArrayList<>();
    recorded
        .headers()
        .forEach(
            (rank, then) -> {
              RankHeader now = replayed.get(rank);
              if (now == null
                  || !hasReachedItsEnd(then, now)
                  || (interrupted && isCutOff(then) && hasMadeFewerCalls(then, now))) {
                unfinished.add(
                    new Verdict.RankProgress(
                        rank,
                        Optional.ofNullable(now).map(header -> header.get(HeaderField.REPLAYED)),
                        then.outcomes()));
              }
            });
    return unfinished;
  }

  private static boolean hasReachedItsEnd(RankHeader then, RankHeader now) {
    return isCutOff(then) ? now.has(Wire.Flag.REACHED_END) : now.state() == Wire.State.FINALIZED;
  }

  /**
   * Behind its last outcome a rank may make many more calls, and where the user ended a replay says
   * nothing of where the recording ends.
   */
  private static boolean hasMadeFewerCalls(RankHeader then, RankHeader now) {
    return now.calls() + now.get(HeaderField.POLLS_SKIPPED) < then.calls();
  }

  private boolean ranksShareAProcess() {
    return recorded.description().mpi().family().ranksShareAProcess();
  }

  /** A process that was killed has closed no file. */
  private boolean isOfAKilledJvm(RankHeader then) {
    return ranksShareAProcess()
        && then.state() == Wire.State.RUNNING
        && then.get(HeaderField.END_NANOS) == 0;
  }

  /** The rank of a replay that is at rest there knows more of what it waits for. */
  private Verdict.RankPlace lastPlace(RankHeader header, Optional<RankHeader> now) {
    // Ranks of one process end with their run; nobody kills one, and an exception aborts it.
    boolean together = ranksShareAProcess();
    return place(
        now.orElse(header),
        switch (header.state()) {
          case RUNNING -> together ? endWithTheRun(header) : "was killed";
          case FINALIZED -> "finished";
          case ABORTED ->
              (together ? "aborted with " : "called MPI_Abort with ") + header.exitCode();
          case EXITED -> "exited with status " + header.exitCode() + " without MPI_Finalize";
        });
  }

  /** What a killed process counts now and then is behind. */
  private String endWithTheRun(RankHeader header) {
    return isOfAKilledJvm(header)
        ? "was killed; up to "
            + LiveRankFile.CALLS_UNCOUNTED_MAX
            + " more calls may not have been counted"
        : "ended with the run";
  }

  private Verdict.RankPlace waitingPlace(RankHeader header, boolean stopped) {
    boolean polls = header.get(HeaderField.POLLS_BEYOND) > 0;
    return place(
        header,
        switch (header.state()) {
          case RUNNING ->
              stopped
                  ? "stopped by a signal; kill -CONT " + header.pid() + " would have resumed it"
                  : polls ? "polling in vain" : "";
          case FINALIZED -> "finished";
          case ABORTED, EXITED -> "gone";
        });
  }

  private Verdict.RankPlace place(RankHeader header, String how) {
    return new Verdict.RankPlace(
        header.rank(),
        header.currentCall().map(recorded.description()::callName),
        header.calls(),
        places.apply(header),
        WaitText.of(header),
        how);
  }

  private List<Verdict.SoftDifferences> soft() {
    return replayed.values().stream()
        .map(
            header ->
                new Verdict.SoftDifferences(
                    header.rank(),
                    header.get(HeaderField.POLLS_BEYOND),
                    header.get(HeaderField.POLLS_SKIPPED),
                    header.get(HeaderField.SENDS_DEFERRED),
                    header.get(HeaderField.INPUTS_UNMATCHED),
                    header.has(Wire.Flag.CONCURRENT),
                    header.has(Wire.Flag.TURNS_GIVEN_UP)))
        .filter(soft -> !soft.isEmpty())
        .toList();
  }
}
