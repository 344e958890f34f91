package org.reprise.launch.verdict;

import java.util.List;
import java.util.Optional;
import org.reprise.trace.Location;
import org.reprise.trace.Rank;

/** Whether a replay did what the recording did. {@link VerdictText} puts it into words. */
public sealed interface Verdict {
  /**
   * What differed without mattering for the order, rank by rank; ranks without such are left out.
   */
  List<SoftDifferences> soft();

  /**
   * Every rank did what it had done, to the end of its recording.
   *
   * @param outcomes recorded outcomes of all ranks
   * @param cutOff the ranks whose recording ended before MPI_Finalize, with where they were
   * @param atRest whether the job was ended because nothing moved any more behind the recording's
   *     end: the deadlock that was recorded
   * @param endedSooner the ranks that the job's end, which was the recorded one, met earlier on
   *     their way than in the recording
   * @param notReplayed what may have gone another way all the same, as nouns
   */
  record SameOrder(
      int ranks,
      long outcomes,
      List<RankPlace> cutOff,
      boolean atRest,
      List<RankProgress> endedSooner,
      List<String> notReplayed,
      List<SoftDifferences> soft)
      implements Verdict {
    public SameOrder {
      notReplayed = List.copyOf(notReplayed);
      cutOff = List.copyOf(cutOff);
      endedSooner = List.copyOf(endedSooner);
      soft = List.copyOf(soft);
    }
  }

  /**
   * A rank did something else, this one first.
   *
   * @param others the ranks that did so later
   */
  record Diverged(Departure first, List<Rank> others, List<SoftDifferences> soft)
      implements Verdict {
    public Diverged {
      others = List.copyOf(others);
      soft = List.copyOf(soft);
    }
  }

  /** No rank could go on, and the recording did: the replay was ended. */
  record Stuck(long limitSeconds, List<RankPlace> ranks, List<SoftDifferences> soft)
      implements Verdict {
    public Stuck {
      ranks = List.copyOf(ranks);
      soft = List.copyOf(soft);
    }
  }

  /** The command ended, though some ranks had not come to the end of their recording. */
  record EndedEarly(List<RankProgress> ranks, List<SoftDifferences> soft) implements Verdict {
    public EndedEarly {
      ranks = List.copyOf(ranks);
      soft = List.copyOf(soft);
    }
  }

  /** The user ended the replay before it came to an end of its own. */
  record Interrupted(List<RankProgress> ranks, List<SoftDifferences> soft) implements Verdict {
    public Interrupted {
      ranks = List.copyOf(ranks);
      soft = List.copyOf(soft);
    }
  }

  /**
   * Where a rank left the recorded order.
   *
   * @param outcome number of the recorded outcome; empty if only a comparison at the end tells
   * @param call the MPI call it was in; empty if only a comparison at the end tells
   * @param callNumber how many MPI calls the rank had entered
   * @param expected what the recording did there
   * @param found what the replay did there
   */
  record Departure(
      Rank rank,
      Optional<Long> outcome,
      Optional<String> call,
      long callNumber,
      String expected,
      String found) {}

  /**
   * A rank and what it was doing.
   *
   * @param call the MPI call it was in; empty outside MPI
   * @param callNumber how many MPI calls it had entered
   * @param at where in the source it was, if that is known
   * @param waitingFor what the call waited for, in words, if that is known
   * @param how what had become of it, in words
   */
  record RankPlace(
      Rank rank,
      Optional<String> call,
      long callNumber,
      Optional<Location> at,
      Optional<String> waitingFor,
      String how) {}

  /** How many of its recorded outcomes a rank had replayed; empty if it left no trace. */
  record RankProgress(Rank rank, Optional<Long> replayed, long recorded) {}

  /**
   * Differences of one rank that leave the order as it was.
   *
   * @param unverified MPI was called from several threads at once, so that the order hash does not
   *     tell
   * @param turnsGivenUp its threads could not be kept in the recorded order any longer
   */
  record SoftDifferences(
      Rank rank,
      long pollsBeyond,
      long pollsSkipped,
      long sendsDeferred,
      long inputsUnmatched,
      boolean unverified,
      boolean turnsGivenUp) {
    boolean isEmpty() {
      return pollsBeyond == 0
          && pollsSkipped == 0
          && sendsDeferred == 0
          && inputsUnmatched == 0
          && !unverified
          && !turnsGivenUp;
    }
  }
}
