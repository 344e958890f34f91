package org.reprise.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import org.reprise.trace.Ending;
import org.reprise.trace.LiveRecorder;
import org.reprise.trace.PrivateFiles;
import org.reprise.trace.Rank;
import org.reprise.trace.RankHeader;
import org.reprise.trace.RecordedRun;
import org.reprise.trace.RunDescription;
import org.reprise.trace.RunDirectory;
import org.reprise.trace.RunStore;
import org.reprise.trace.RunSummary;
import org.reprise.trace.TraceError;
import org.reprise.trace.Wire;

/** Runs a command with the interposer in its ranks and keeps what they leave as a run. */
public final class Recorder {
  private final RunStore store;
  private final Surroundings surroundings;

  public Recorder(RunStore store, Surroundings surroundings) {
    this.store = store;
    this.surroundings = surroundings;
  }

  /**
   * Runs the command to its end. Its output goes where this process's output goes, and signals to
   * this process go to the command: however it ends, the run is finished.
   */
  public Recording record(RecordRequest request) {
    Preparation preparation = Preparation.of(request.command(), surroundings, request.mpicc());
    RunDirectory run = store.create(preparation.command().programName());
    RunDescription begun = description(request, preparation, run);
    boolean started = false;
    try {
      run.describe(begun);
      PreparedCommand command = preparation.tell(variables(request, run), List.of());
      Optional<Path> keepInput = Optional.of(run.stdinFile());
      try (Job job = Job.start(command, surroundings, keepInput, Optional.empty())) {
        started = true;
        store.setLatest(run);
        int status = job.waitFor();
        return finish(run, begun, preparation, status);
      }
    } finally {
      if (!started) {
        removeQuietly(run);
      }
    }
  }

  private static Map<String, String> variables(RecordRequest request, RunDirectory run) {
    Map<String, String> variables = new HashMap<>();
    variables.put(Wire.ENV_MODE, Wire.Mode.RECORD.word());
    variables.put(Wire.ENV_RUN, run.path().toString());
    request.jitterSeed().ifPresent(seed -> variables.put(Wire.ENV_JITTER, Long.toString(seed)));
    if (!request.inputs()) {
      variables.put(Wire.ENV_INPUTS, "off");
    }
    return variables;
  }

  private RunDescription description(
      RecordRequest request, Preparation preparation, RunDirectory run) {
    MpiInstallation mpi = preparation.mpi();
    return new RunDescription(
        version(),
        Wire.VERSION,
        run.name(),
        request.command(),
        surroundings.directory().toString(),
        preparation.command().program().flatMap(ProgramFile::describe),
        new RunDescription.Mpi(mpi.family(), mpi.version(), mpi.mpicc().toString()),
        0,
        List.of(),
        new TreeMap<>(RunDescription.environmentThatMatters(surroundings.environment())),
        request.inputs(),
        request.jitterSeed(),
        surroundings.input() instanceof StandardInput.Piped,
        CallTable.ofInterposer().names(),
        Instant.now(),
        Optional.empty(),
        new Ending.Unfinished(),
        List.of(),
        LiveRecorder.self());
  }

  private static String version() {
    String version = Recorder.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }

  private static Recording finish(
      RunDirectory run, RunDescription begun, Preparation preparation, int status) {
    SortedMap<Rank, RankHeader> headers = headers(run);
    List<RunDescription.RankEnd> ends = headers.values().stream().map(Recorder::rankEnd).toList();
    int ranks = headers.isEmpty() ? 0 : headers.firstEntry().getValue().ranks();
    List<String> hosts = headers.values().stream().map(RankHeader::host).distinct().toList();
    RunDescription ended =
        begun.ended(Ending.ofExitStatus(status), Instant.now(), ranks, hosts, ends);
    run.describe(ended);
    Optional<RunSummary> summary =
        headers.isEmpty() ? Optional.empty() : Optional.of(RunSummary.of(RecordedRun.open(run)));
    return new Recording(
        run,
        ended,
        summary,
        status,
        RecordingWarnings.of(headers, CallTable.ofInterposer(), preparation.command()));
  }

  /**
   * The headers the ranks left. A rank that was killed while it created its file left one without a
   * header: there is nothing in it, so it goes.
   */
  private static SortedMap<Rank, RankHeader> headers(RunDirectory run) {
    SortedMap<Rank, RankHeader> headers = new TreeMap<>();
    for (Rank rank : run.ranks()) {
      try {
        headers.put(rank, run.header(rank));
      } catch (TraceError e) {
        try {
          Files.deleteIfExists(run.orderFile(rank));
          Files.deleteIfExists(run.inputsFile(rank));
        } catch (IOException notThere) {
          e.addSuppressed(notThere);
          throw e;
        }
      }
    }
    return headers;
  }

  private static RunDescription.RankEnd rankEnd(RankHeader header) {
    boolean told =
        header.has(Wire.Flag.EXIT_SEEN)
            || header.state() == Wire.State.ABORTED
            || header.state() == Wire.State.EXITED;
    return new RunDescription.RankEnd(
        header.rank(),
        header.state(),
        told ? OptionalInt.of(header.exitCode()) : OptionalInt.empty(),
        header.host());
  }

  private static void removeQuietly(RunDirectory run) {
    try {
      PrivateFiles.removeTree(run.path());
    } catch (IOException e) {
      System.getLogger(Recorder.class.getName())
          .log(System.Logger.Level.WARNING, "cannot remove " + run.path(), e);
    }
  }
}
