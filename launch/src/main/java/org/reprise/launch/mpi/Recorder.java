package org.reprise.launch.mpi;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import org.reprise.launch.interposer.CallTable;
import org.reprise.launch.interposer.MpiInstallation;
import org.reprise.launch.interposer.Preparation;
import org.reprise.launch.process.Job;
import org.reprise.launch.process.PreparedCommand;
import org.reprise.launch.process.StandardInput;
import org.reprise.launch.process.Surroundings;
import org.reprise.launch.run.FinishedRun;
import org.reprise.launch.run.NewRun;
import org.reprise.launch.run.NotRecordable;
import org.reprise.launch.run.ProgramFile;
import org.reprise.launch.run.RecordRequest;
import org.reprise.launch.run.Recording;
import org.reprise.launch.verdict.StallWatch;
import org.reprise.trace.Rank;
import org.reprise.trace.file.RankHeader;
import org.reprise.trace.file.Wire;
import org.reprise.trace.run.RunDescription;
import org.reprise.trace.run.RunDirectory;
import org.reprise.trace.run.RunStore;

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
   *
   * @throws NotRecordable if there is no room for the recording; the command has not started
   */
  public Recording record(RecordRequest request) {
    Preparation preparation = Preparation.of(request.command(), surroundings, request.mpicc());
    RunDirectory run = NewRun.create(store, preparation.command().programName());
    RunDescription begun = description(request, preparation, run);
    boolean started = false;
    try {
      NewRun.begin(run, begun);
      FinishedRun.seal(run, begun, surroundings);
      Preparation loaded =
          request.eventFrames().isPresent() ? preparation.withEvents() : preparation;
      PreparedCommand command = loaded.tell(variables(request, run), List.of());
      Optional<Path> keepInput = Optional.of(run.stdinFile());
      try (Job job =
              Job.start(
                  command,
                  surroundings,
                  keepInput,
                  request.output().map(to -> to.resolve("out")),
                  request.output().map(to -> to.resolve("err")));
          StallWatch watch =
              StallWatch.start(
                  run,
                  0,
                  request.stall().map(RecordRequest.Stalled::limit).orElse(Duration.ZERO),
                  _ -> {
                    request.stall().ifPresent(stall -> stall.told().run());
                    job.end();
                  })) {
        started = true;
        List<String> trouble = new ArrayList<>();
        Optional<RunDirectory> before = store.latestIfAny();
        NewRun.tolerate(trouble, () -> store.setLatest(run));
        int status = job.waitFor();
        watch.stop();
        job.inputLost().ifPresent(reason -> NewRun.forgetInput(run, reason, trouble));
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
          NewRun.tolerate(
              trouble, () -> before.ifPresentOrElse(store::setLatest, store::forgetLatest));
        }
        return recording.withWarnings(trouble);
      }
    } finally {
      if (!started) {
        NewRun.removeQuietly(run);
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
}
