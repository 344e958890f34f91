package org.reprise.launch.mpi;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Consumer;
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
import org.reprise.launch.run.RunEnd;
import org.reprise.launch.verdict.DeadlockWatch;
import org.reprise.launch.verdict.StallWatch;
import org.reprise.trace.Rank;
import org.reprise.trace.UserError;
import org.reprise.trace.file.RankHeader;
import org.reprise.trace.run.RunDescription;
import org.reprise.trace.run.RunDirectory;
import org.reprise.trace.run.RunStore;

/** Runs a command with the interposer in its ranks and keeps what they leave as a run. */
public final class Recorder {
  private final RunStore store;
  private final Surroundings surroundings;
  private final Consumer<String> told;

  /** The exit status of a run that was ended because it was deadlocked. */
  private static final int DEADLOCKED = 68;

  /**
   * A recorder.
   *
   * @param told gets sentences for standard error while the program runs
   */
  public Recorder(RunStore store, Surroundings surroundings, Consumer<String> told) {
    this.store = store;
    this.surroundings = surroundings;
    this.told = told;
  }

  public Recorder(RunStore store, Surroundings surroundings) {
    this(store, surroundings, _ -> {});
  }

  /**
   * Runs the command to its end. Its output goes where this process's output goes, and signals to
   * this process go to the command: however it ends, the run is finished.
   *
   * @throws NotRecordable if there is no room for the recording, or an automatic one is not
   *     possible; the command has not started
   */
  public Recording record(RecordRequest request) {
    Preparation preparation;
    RunDirectory run;
    try {
      preparation = prepare(request);
      run = NewRun.create(store, preparation.command().programName());
    } catch (UserError reason) {
      throw request.automatic() ? new NotRecordable(reason) : reason;
    }
    RunDescription begun = description(request, preparation, run);
    boolean started = false;
    try {
      NewRun.begin(run, begun);
      FinishedRun.seal(run, begun, surroundings);
      request.begun().accept(run);
      PreparedCommand command = preparation.tell(variables(request, run), List.of());
      Optional<Path> keepInput = Optional.of(run.stdinFile());
      try (Job job =
              Job.start(
                  command,
                  request.conditions().directory().map(surroundings::in).orElse(surroundings),
                  keepInput,
                  request.conditions().file("out"),
                  request.conditions().file("err"));
          StallWatch stalls =
              StallWatch.start(
                  run,
                  0,
                  request.stall().map(RecordRequest.Stalled::limit).orElse(Duration.ZERO),
                  _ -> {
                    request.stall().ifPresent(stall -> stall.told().run());
                    job.end();
                  });
          Watch watch = watch(request, run, job)) {
        started = true;
        List<String> trouble = new ArrayList<>();
        Optional<RunDirectory> before = store.latestIfAny();
        NewRun.tolerate(trouble, () -> store.setLatest(run));
        int status = job.waitFor();
        job.remark().ifPresent(trouble::add);
        stalls.stop();
        Optional<DeadlockWatch.Found> deadlock = watch.stop();
        job.inputLost().ifPresent(reason -> NewRun.forgetInput(run, reason, trouble));
        Recording recording =
            FinishedRun.of(
                run,
                begun,
                surroundings,
                status,
                job.wasSignalled() || deadlock.isPresent(),
                headers -> warnings(run, headers, preparation, job.wasSignalled()));
        if (recording.summary().isEmpty()) {
          // There is nothing to replay in it: who asks for the latest means the one before.
          NewRun.tolerate(
              trouble, () -> before.ifPresentOrElse(store::setLatest, store::forgetLatest));
        }
        Recording whole = recording.withWarnings(trouble).withAtRest(watch.cameToRest());
        return deadlock
            .map(found -> whole.withExitStatus(DEADLOCKED).withEnd(RunEnd.deadlock(found.lines())))
            .orElse(whole);
      }
    } finally {
      if (!started) {
        NewRun.removeQuietly(run);
      }
    }
  }

  private Preparation prepare(RecordRequest request) {
    Preparation prepared = Preparation.of(request.command(), surroundings, request.mpicc());
    return request.eventFrames().isPresent() ? prepared.withEvents() : prepared;
  }

  /** Looks for deadlocks while the command runs, if that was asked for. */
  private record Watch(Optional<DeadlockWatch> looking, boolean ends) implements AutoCloseable {
    /** The deadlock that the command was ended for, if it was; nobody looks any more. */
    Optional<DeadlockWatch.Found> stop() {
      return looking.flatMap(DeadlockWatch::stop).filter(_ -> ends);
    }

    /** Whether a rank ended the others, and none of them could go on. */
    boolean cameToRest() {
      return looking.map(DeadlockWatch::cameToRest).orElse(false);
    }

    @Override
    public void close() {
      looking.ifPresent(DeadlockWatch::close);
    }
  }

  private Watch watch(RecordRequest request, RunDirectory run, Job job) {
    boolean ends = request.onDeadlock() == RecordRequest.OnDeadlock.STOP;
    if (request.onDeadlock() == RecordRequest.OnDeadlock.IGNORE) {
      return new Watch(Optional.empty(), false);
    }
    return new Watch(
        Optional.of(
            DeadlockWatch.start(
                run,
                0,
                surroundings,
                found -> {
                  found.lines().forEach(told);
                  if (ends) {
                    job.end();
                  }
                })),
        ends);
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
    RankVariables variables =
        RankVariables.recording(run)
            .jitter(request.jitterSeed())
            .inputs(request.inputs())
            .events(request.eventFrames());
    request.live().ifPresent(variables::live);
    if (request.onDeadlock() != RecordRequest.OnDeadlock.IGNORE) {
      variables.watched(request.conditions());
    }
    return variables.all();
  }

  private RunDescription description(
      RecordRequest request, Preparation preparation, RunDirectory run) {
    return begun(run, request.command(), preparation, surroundings)
        .inputs(request.inputs())
        .jitterSeed(request.jitterSeed())
        .stdinKept(surroundings.input() instanceof StandardInput.Piped)
        .automatic(request.automatic())
        .build();
  }

  /** What run.json says of a run of an MPI before it has ended. */
  static RunDescription.Builder begun(
      RunDirectory run, List<String> words, Preparation preparation, Surroundings surroundings) {
    MpiInstallation mpi = preparation.mpi();
    return FinishedRun.begun(
            run,
            words,
            new RunDescription.Mpi(mpi.family(), mpi.version(), mpi.mpicc().toString()),
            surroundings)
        .program(preparation.command().program().flatMap(ProgramFile::describe))
        .callNames(CallTable.ofInterposer().names());
  }
}
