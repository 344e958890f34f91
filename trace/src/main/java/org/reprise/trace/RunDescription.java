package org.reprise.trace;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What was run, where, with which MPI, and how it ended: the content of {@code run.json}. It is
 * written when the recording starts, with {@link Ending.Unfinished}, and replaced when it ends.
 *
 * @param program the executable found in the command, if there is one
 * @param ranks 0 while nobody knows
 * @param stdinBytes how much of standard input was kept, once the run has ended
 * @param callNames names of MPI calls by their id in the rank files, so that a run explains itself
 * @param distilledFrom the name of the run that this one holds the control set of, if it is no
 *     recording
 */
public record RunDescription(
    String repriseVersion,
    int wireVersion,
    String name,
    List<String> command,
    String directory,
    Optional<Program> program,
    Mpi mpi,
    int ranks,
    List<String> hosts,
    SortedMap<String, String> environment,
    boolean inputs,
    OptionalLong jitterSeed,
    boolean stdinKept,
    OptionalLong stdinBytes,
    List<String> callNames,
    Instant started,
    Optional<Instant> ended,
    Ending ending,
    List<RankEnd> rankEnds,
    RecorderProcess recorder,
    Optional<String> distilledFrom) {

  /** The version of run.json itself. */
  public static final int FORMAT = 1;

  public RunDescription {
    command = List.copyOf(command);
    hosts = List.copyOf(hosts);
    environment = Collections.unmodifiableSortedMap(new TreeMap<>(environment));
    callNames = List.copyOf(callNames);
    rankEnds = List.copyOf(rankEnds);
  }

  /** The executable that was recorded, so that a replay can tell whether it was rebuilt. */
  public record Program(String path, String sha256, long size) {}

  /** The MPI that was recorded: what it calls itself, and the compiler the interposer used. */
  public record Mpi(MpiFamily family, String version, String mpicc) {}

  /** How one rank ended. The exit code is there if the rank could still tell it. */
  public record RankEnd(Rank rank, Wire.State state, OptionalInt exitCode, String host) {}

  /** The Reprise that records: while it lives, the run is not to be touched. */
  public record RecorderProcess(long pid, String host, Instant started) {}

  /** The description once the command has ended. */
  public RunDescription ended(
      Ending how,
      Instant when,
      int ranksSeen,
      List<String> hostsSeen,
      List<RankEnd> ends,
      OptionalLong inputBytes) {
    return new RunDescription(
        repriseVersion,
        wireVersion,
        name,
        command,
        directory,
        program,
        mpi,
        ranksSeen,
        hostsSeen,
        environment,
        inputs,
        jitterSeed,
        stdinKept && inputBytes.isPresent(),
        inputBytes,
        callNames,
        started,
        Optional.of(when),
        how,
        ends,
        recorder,
        distilledFrom);
  }

  /** The name of a call, or its number if the run does not say. */
  public String callName(int call) {
    return call >= 0 && call < callNames.size() ? "MPI_" + callNames.get(call) : "call " + call;
  }

  /**
   * How long it took, if it has ended. A clock that was set back meanwhile makes it no less than
   * nothing.
   */
  public Optional<Duration> took() {
    return ended()
        .map(end -> Duration.between(started(), end))
        .map(took -> took.isNegative() ? Duration.ZERO : took);
  }
}
