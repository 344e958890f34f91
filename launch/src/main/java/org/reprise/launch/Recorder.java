package org.reprise.launch;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.reprise.trace.Ending;
import org.reprise.trace.LiveRecorder;
import org.reprise.trace.PrivateFiles;
import org.reprise.trace.RunDescription;
import org.reprise.trace.RunDirectory;
import org.reprise.trace.RunStore;
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
      Preparation loaded =
          request.eventFrames().isPresent() ? preparation.withEvents() : preparation;
      PreparedCommand command = loaded.tell(variables(request, run), List.of());
      Optional<Path> keepInput = Optional.of(run.stdinFile());
      try (Job job = Job.start(command, surroundings, keepInput, Optional.empty())) {
        started = true;
        Optional<RunDirectory> before = store.latestIfAny();
        store.setLatest(run);
        int status = job.waitFor();
        Recording recording =
            FinishedRun.of(
                run,
                begun,
                status,
                job.wasSignalled(),
                headers -> RecordingWarnings.of(headers, CallTable.ofInterposer(), preparation));
        if (recording.summary().isEmpty()) {
          // There is nothing to replay in it: who asks for the latest means the one before.
          before.ifPresentOrElse(store::setLatest, store::forgetLatest);
        }
        return recording;
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
    request.eventFrames().ifPresent(n -> variables.put(Wire.ENV_EVENTS, Integer.toString(n)));
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
        OptionalLong.empty(),
        CallTable.ofInterposer().names(),
        Instant.now(),
        Optional.empty(),
        new Ending.Unfinished(),
        List.of(),
        LiveRecorder.self(),
        Optional.empty());
  }

  static String version() {
    String version = Recorder.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }

  static void removeQuietly(RunDirectory run) {
    try {
      PrivateFiles.removeTree(run.path());
    } catch (IOException e) {
      System.getLogger(Recorder.class.getName())
          .log(System.Logger.Level.WARNING, "cannot remove " + run.path(), e);
    }
  }
}
