package org.reprise.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import org.reprise.trace.PrivateFiles;
import org.reprise.trace.Rank;
import org.reprise.trace.RankHeader;
import org.reprise.trace.RunDescription;
import org.reprise.trace.RunDirectory;
import org.reprise.trace.RunStore;
import org.reprise.trace.UserError;
import org.reprise.trace.Wire;

/** Runs a command with the interposer in its ranks and keeps what they leave as a run. */
final class Recorder {
  private final RunStore store;
  private final Surroundings surroundings;

  Recorder(RunStore store, Surroundings surroundings) {
    this.store = store;
    this.surroundings = surroundings;
  }

  /**
   * Runs the command to its end. Its output goes where this process's output goes, and signals to
   * this process go to the command: however it ends, the run is finished.
   *
   * @throws NotRecordable if there is no room for the recording; the command has not started
   */
  Recording record(RecordRequest request) {
    Preparation preparation = Preparation.of(request.command(), surroundings, request.mpicc());
    RunDirectory run = create(store, preparation.command().programName());
    RunDescription begun = description(request, preparation, run);
    boolean started = false;
    try {
      begin(run, begun);
      FinishedRun.seal(run, begun, surroundings);
      Preparation loaded =
          request.eventFrames().isPresent() ? preparation.withEvents() : preparation;
      PreparedCommand command = loaded.tell(variables(request, run), List.of());
      Optional<Path> keepInput = Optional.of(run.stdinFile());
      try (Job job = Job.start(command, surroundings, keepInput, Optional.empty())) {
        started = true;
        List<String> trouble = new ArrayList<>();
        Optional<RunDirectory> before = store.latestIfAny();
        tolerate(trouble, () -> store.setLatest(run));
        int status = job.waitFor();
        job.inputLost().ifPresent(reason -> forgetInput(run, reason, trouble));
        Recording recording =
            FinishedRun.of(
                run,
                begun,
                surroundings,
                status,
                job.wasSignalled(),
                headers -> warnings(run, headers, preparation, job.wasSignalled()));
        if (recording.summary().isEmpty()) {
          // There is nothing to replay in it: who asks for the latest means the one before.
          tolerate(trouble, () -> before.ifPresentOrElse(store::setLatest, store::forgetLatest));
        }
        return recording.withWarnings(trouble);
      }
    } finally {
      if (!started) {
        removeQuietly(run);
      }
    }
  }

  private List<String> warnings(
      RunDirectory run,
      SortedMap<Rank, RankHeader> headers,
      Preparation preparation,
      boolean interrupted) {
    CallTable calls = CallTable.ofInterposer();
    List<String> warnings = new ArrayList<>(RecordingWarnings.of(run, headers, calls, preparation));
    if (interrupted) {
      warnings.addAll(RecordingWarnings.whereRanksWere(headers.values(), calls, surroundings));
    }
    return warnings;
  }

  static RunDirectory create(RunStore store, String program) {
    try {
      return store.create(program);
    } catch (UserError failure) {
      // In a place where runs may not be kept, the user meant another one.
      throw store.isWritable() ? new NotRecordable(failure) : failure;
    }
  }

  static void begin(RunDirectory run, RunDescription begun) {
    try {
      run.describe(begun);
    } catch (UserError failure) {
      throw new NotRecordable(failure);
    }
  }

  /** What the run can do without: a failure is said, and the program goes on. */
  static void tolerate(List<String> trouble, Runnable step) {
    try {
      step.run();
    } catch (UserError failure) {
      trouble.add(FinishedRun.sentence(failure));
    }
  }

  /** Half of the standard input would be taken for all of it. */
  static void forgetInput(RunDirectory run, String reason, List<String> trouble) {
    trouble.add("standard input could not be kept (" + reason + "): give it again to the replay");
    try {
      Files.deleteIfExists(run.stdinFile());
    } catch (IOException e) {
      trouble.add("cannot remove " + run.stdinFile() + ": " + PrivateFiles.reason(e));
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
    return FinishedRun.begun(
            run,
            request.command(),
            new RunDescription.Mpi(mpi.family(), mpi.version(), mpi.mpicc().toString()),
            surroundings)
        .program(preparation.command().program().flatMap(ProgramFile::describe))
        .inputs(request.inputs())
        .jitterSeed(request.jitterSeed())
        .stdinKept(surroundings.input() instanceof StandardInput.Piped)
        .callNames(CallTable.ofInterposer().names())
        .build();
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
