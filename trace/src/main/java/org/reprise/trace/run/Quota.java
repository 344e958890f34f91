package org.reprise.trace.run;

import java.util.ArrayList;
import java.util.List;

/**
 * How many automatic runs are kept, and how much disk they may take together. Runs that somebody
 * asked for do not count, and are never removed.
 *
 * @param runsMax how many
 * @param bytesMax what all of them take at most
 */
public record Quota(int runsMax, long bytesMax) {
  /** Where the user does not say anything else. */
  public static final Quota USUAL = new Quota(100, 2L << 30);

  /** A run that may be removed. */
  record Candidate(RunDirectory run, boolean failed, long bytes) {}

  /** Removes automatic runs that are too many, and says which. Those being recorded stay. */
  public List<RunDirectory> enforce(RunStore store) {
    List<RunDirectory> removed = new ArrayList<>();
    for (Candidate candidate : excess(candidates(store))) {
      if (store.removeIfPossible(candidate.run)) {
        removed.add(candidate.run);
      }
    }
    return removed;
  }

  /** The automatic runs of a store that have ended, the oldest first. */
  private static List<Candidate> candidates(RunStore store) {
    List<Candidate> candidates = new ArrayList<>();
    for (RunDirectory run : store.list()) {
      run.descriptionIfReadable()
          .filter(known -> known.automatic() && LiveRecorder.of(run).isEmpty())
          .ifPresent(
              known ->
                  candidates.add(
                      new Candidate(run, !known.ending().isSuccess(), RunDisk.bytes(run))));
    }
    return candidates;
  }

  /**
   * Which of these are too many. The oldest goes first; one that failed only goes before one that
   * did not where failed ones take more than half of what is allowed, so that neither kind drives
   * out the other. The newest stays, however large it is: it has just been recorded.
   *
   * @param oldestFirst all that count
   */
  List<Candidate> excess(List<Candidate> oldestFirst) {
    List<Candidate> kept = new ArrayList<>(oldestFirst);
    List<Candidate> excess = new ArrayList<>();
    while (kept.size() > 1 && (kept.size() > runsMax || bytes(kept) > bytesMax)) {
      List<Candidate> old = kept.subList(0, kept.size() - 1);
      List<Candidate> failed = kept.stream().filter(Candidate::failed).toList();
      boolean mostFailed = failed.size() > runsMax / 2 || bytes(failed) > bytesMax / 2;
      Candidate next =
          old.stream().filter(one -> one.failed == mostFailed).findFirst().orElseGet(old::getFirst);
      kept.remove(next);
      excess.add(next);
    }
    return excess;
  }

  private static long bytes(List<Candidate> runs) {
    return runs.stream().mapToLong(Candidate::bytes).sum();
  }
}
