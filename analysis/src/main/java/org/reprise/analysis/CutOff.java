package org.reprise.analysis;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.reprise.launch.interposer.CallTable;
import org.reprise.trace.Rank;
import org.reprise.trace.file.RankHeader;
import org.reprise.trace.file.Wire;
import org.reprise.trace.run.Ending;
import org.reprise.trace.run.RecordedRun;

/** Ranks that did not come to MPI_Finalize: what they had not sent yet is not among the events. */
final class CutOff {
  /** Those without a file, too. */
  static List<Rank> ranks(RecordedRun run) {
    return IntStream.range(0, run.ranks())
        .mapToObj(Rank::new)
        .filter(
            rank ->
                !run.headers().containsKey(rank)
                    || run.header(rank).state() != Wire.State.FINALIZED)
        .toList();
  }

  /**
   * A sentence for each that was cut off inside a call that sends. Events are written when calls
   * return, so there is none of it; whether its message had left, nobody knows, and a receive could
   * have taken it.
   */
  static List<String> sends(RecordedRun run) {
    // The engine sees its jobs end, and writes down what was under way.
    boolean seen =
        run.description().mpi().family().ranksShareAProcess()
            && run.description().ending() instanceof Ending.Exited;
    List<String> sentences = new ArrayList<>();
    if (!seen) {
      run.headers().forEach((rank, header) -> add(run, rank, header, sentences));
    }
    return sentences;
  }

  private static void add(RecordedRun run, Rank rank, RankHeader header, List<String> sentences) {
    if (header.state() != Wire.State.RUNNING) {
      return;
    }
    header
        .currentCall()
        .map(run.description()::callName)
        .filter(CutOff::maySend)
        .ifPresent(
            call ->
                sentences.add(
                    rank + " was cut off in " + call + ": a message of it may be missing"));
  }

  private static boolean maySend(String call) {
    CallTable calls = CallTable.ofInterposer();
    return calls.has(call, CallTable.Role.SENDS) || calls.has(call, CallTable.Role.STARTS);
  }

  private CutOff() {}
}
