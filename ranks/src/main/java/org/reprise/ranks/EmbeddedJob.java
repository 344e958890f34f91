package org.reprise.ranks;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.reprise.ranks.calls.RankFabric;
import org.reprise.ranks.calls.SharedFabric;
import org.reprise.ranks.calls.WatchedFabric;
import org.reprise.ranks.engine.JobRank;
import org.reprise.ranks.engine.JobResult;
import org.reprise.ranks.engine.Machine;
import org.reprise.ranks.engine.Observer;
import org.reprise.ranks.engine.RankProgram;
import org.reprise.ranks.fabric.CurrentRank;
import org.reprise.ranks.fabric.Fabric;
import org.reprise.ranks.fabric.Inputs;
import org.reprise.ranks.fabric.RankEnded;
import org.reprise.ranks.hold.HeldRanks;
import org.reprise.ranks.inputs.MachineInputs;
import org.reprise.ranks.inputs.RecordedInputs;
import org.reprise.ranks.inputs.ReplayedInputs;
import org.reprise.ranks.inputs.SeededInputs;
import org.reprise.ranks.journal.EventJournal;
import org.reprise.ranks.journal.FileJournal;
import org.reprise.ranks.journal.Journal;
import org.reprise.ranks.journal.Plan;
import org.reprise.ranks.journal.SignedJournal;
import org.reprise.ranks.schedule.ChosenScheduler;
import org.reprise.ranks.schedule.FreeMachine;
import org.reprise.ranks.schedule.Jitter;
import org.reprise.ranks.schedule.SeededScheduler;
import org.reprise.ranks.schedule.SerialMachine;
import org.reprise.trace.Rank;
import org.reprise.trace.UserError;
import org.reprise.trace.file.RankFiles;
import org.reprise.trace.file.Wire;
import org.reprise.trace.inputs.InputsReader;
import org.reprise.trace.order.OrderReader;
import org.reprise.trace.order.RankPlan;
import org.reprise.trace.run.PlanDirectory;
import org.reprise.trace.run.RecordedRun;

/**
 * Runs jobs on the embedded engine: a machine as the schedule wants it, a journal and inputs for
 * each rank, the program in each rank's thread.
 */
public final class EmbeddedJob {
  private static final long LOOK_AGAIN_NANOS = 5_000_000;

  private final JobRequest request;
  private final RankProgram program;
  private final Machine machine;

  /** By rank, as far as they have begun. */
  private final @Nullable RankFabric[] fabrics;

  private final Optional<HeldRanks> held;

  private EmbeddedJob(JobRequest request, RankProgram program, Machine machine) {
    this.request = request;
    this.program = program;
    this.machine = machine;
    this.fabrics = new RankFabric[request.ranks()];
    this.held = request.held().map(control -> HeldRanks.in(control, request.ranks()));
    machine.cancels = program.cancels();
    machine.endsAtRest = request.endsAtRest();
  }

  /** A job that is still to be run. */
  public static EmbeddedJob of(JobRequest request, RankProgram program) {
    return new EmbeddedJob(request, program, machine(request, null));
  }

  /** Runs {@code program} in every rank and returns when all have ended. */
  public static JobResult run(JobRequest request, RankProgram program) {
    return of(request, program).run();
  }

  static JobResult run(JobRequest request, RankProgram program, @Nullable Observer observer) {
    return new EmbeddedJob(request, program, machine(request, observer)).run();
  }

  static JobResult run(JobRequest request, RankProgram program, Machine machine) {
    return new EmbeddedJob(request, program, machine).run();
  }

  private static Machine machine(JobRequest request, @Nullable Observer observer) {
    int ranks = request.ranks();
    return switch (request.schedule()) {
      case Schedule.Free(var jitterSeed) ->
          new FreeMachine(
              ranks, request.syncSends(), observer, jitter(jitterSeed, ranks), carriers(request));
      case Schedule.Replay(RecordedRun run, var jitterSeed) ->
          replaying(request, run, jitterSeed, observer);
      case Schedule.Follow(RecordedRun base, _, var jitterSeed) -> {
        PlanDirectory.requireOneThread(base);
        yield replaying(request, base, jitterSeed, observer);
      }
      case Schedule.Seeded(long seed) ->
          new SerialMachine(ranks, request.syncSends(), observer, new SeededScheduler(seed));
      case Schedule.Chosen(var choices) ->
          new SerialMachine(ranks, request.syncSends(), observer, new ChosenScheduler(choices));
    };
  }

  private static Machine replaying(
      JobRequest request, RecordedRun run, OptionalLong jitterSeed, @Nullable Observer observer) {
    int ranks = request.ranks();
    if (run.ranks() != ranks) {
      throw new UserError(
          "the run was recorded with another number of ranks",
          run.ranks() + " recorded, " + ranks + " asked for",
          "replay it with -n " + run.ranks());
    }
    return new FreeMachine(
        ranks, request.syncSends(), observer, jitter(jitterSeed, ranks), carriers(request));
  }

  private static FreeMachine.Carriers carriers(JobRequest request) {
    if (request.held().isPresent()) {
      return FreeMachine.Carriers.OWN;
    }
    return request.inTurn() ? FreeMachine.Carriers.CALLER : FreeMachine.Carriers.SHARED;
  }

  private static @Nullable Jitter jitter(OptionalLong seed, int ranks) {
    return seed.isPresent() ? new Jitter(seed.getAsLong(), ranks) : null;
  }

  /**
   * Ends the job from another thread. Returns when all ranks have ended: at their next calls, which
   * leaves their files exact; or when those that make none have had their time.
   */
  public void interrupt(Duration patience) {
    machine.interrupt();
    long begin = System.nanoTime();
    for (JobRank rank : machine.ranks) {
      while (rank.end == null && System.nanoTime() - begin < patience.toNanos()) {
        LockSupport.parkNanos(LOOK_AGAIN_NANOS);
      }
    }
  }

  /**
   * Opens the files of all ranks, of a job that writes any.
   *
   * @throws UserError if there is no room for them; the program has not started
   */
  public void open() {
    if (request.trace().isPresent()) {
      for (JobRank rank : machine.ranks) {
        open(rank);
      }
    }
  }

  /** Runs the job and returns when all its ranks have ended. */
  public JobResult run() {
    machine.run(this::live);
    List<JobResult.RankEnd> ends = new ArrayList<>();
    for (JobRank rank : machine.ranks) {
      JobResult.RankEnd end = rank.end;
      ends.add(
          end != null
              ? end
              : new JobResult.RankEnd(
                  rank.number, JobResult.How.ENDED_BY_JOB, 0, null, false, 0, 0));
    }
    Machine.Ending ending = machine.ending;
    return new JobResult(
        ends,
        Optional.ofNullable(ending).map(Machine.Ending::deadlock),
        ending != null && ending.isAbort()
            ? OptionalInt.of(ending.abortCode())
            : OptionalInt.empty(),
        machine.endedAtRest,
        warnings(ending == null || ending.deadlock() != null));
  }

  /**
   * What ranks were warned of.
   *
   * @param allCame whether every message that the program sends was sent: not if somebody failed
   */
  private List<String> warnings(boolean allCame) {
    List<String> warnings = new ArrayList<>(machine.warnings);
    for (JobRank rank : machine.ranks) {
      RankFabric fabric = fabrics[rank.number];
      if (fabric != null && rank.end != null) {
        warnings.addAll(fabric.warnings());
        if (allCame) {
          fabric.messagesLeft().ifPresent(warnings::add);
        }
      }
    }
    return warnings;
  }

  private void live(JobRank rank) {
    RankFabric opened = fabrics[rank.number];
    RankFabric fabric = opened == null ? open(rank) : opened;
    held.ifPresent(ranks -> ranks.begin(rank.number));
    CurrentRank.enter(
        new SharedFabric(rank, watched(fabric, rank)), fabric.inputs(), rank::created);
    JobResult.How how = JobResult.How.RETURNED;
    int status = 0;
    Throwable failure = null;
    try {
      rank.runProgram(program);
    } catch (RankEnded ended) {
      status = ended.status();
      how =
          switch (ended.why()) {
            case ABORTS -> JobResult.How.ABORTED;
            case EXITS -> JobResult.How.EXITED;
            case JOB_ENDED -> JobResult.How.ENDED_BY_JOB;
          };
    } catch (Throwable thrown) {
      // What a rank throws on its way out of a job that has ended is not its own doing.
      boolean alone = machine.ending == null && !machine.interrupted;
      how = alone ? JobResult.How.FAILED : JobResult.How.ENDED_BY_JOB;
      failure = alone ? thrown : null;
      status = 1;
    } finally {
      CurrentRank.leave();
    }
    if (how == JobResult.How.FAILED && machine.endsAtRest) {
      machine.stop(rank, new Machine.Ending(null, 1, false));
    }
    JobResult.How ended = how;
    int endedWith = status;
    Throwable endedBy = failure;
    // Threads of the rank's own may still call.
    rank.turns.between(() -> end(rank, fabric, ended, endedWith, endedBy));
    if (how == JobResult.How.FAILED) {
      machine.end(new Machine.Ending(null, 1, false));
    }
  }

  private void end(
      JobRank rank, RankFabric fabric, JobResult.How how, int status, @Nullable Throwable failure) {
    Journal journal = fabric.journal();
    if (!fabric.isFinished()) {
      switch (how) {
        case RETURNED, EXITED -> {
          fabric.resolveOpen();
          journal.ended(Wire.State.EXITED, status);
        }
        case FAILED -> {
          fabric.resolveOpen();
          journal.ended(Wire.State.ABORTED, status);
        }
        case ABORTED -> {}
        case ENDED_BY_JOB -> {
          fabric.resolveOpen();
          journal.cutOff();
        }
      }
    }
    if (how == JobResult.How.RETURNED || how == JobResult.How.EXITED) {
      journal.exited(status);
    }
    if (rank.events != null) {
      switch (how) {
        case RETURNED, EXITED -> rank.events.end(Wire.State.EXITED, status);
        case FAILED, ABORTED -> rank.events.end(Wire.State.ABORTED, status);
        case ENDED_BY_JOB -> rank.events.cutOff();
      }
    }
    held.ifPresent(ranks -> ranks.of(rank.number).end());
    fabric.closeInputs();
    rank.end =
        new JobResult.RankEnd(
            rank.number,
            how,
            status,
            failure,
            fabric.isFinished(),
            journal.orderHash(),
            journal.events());
  }

  private RankFabric open(JobRank rank) {
    Journal journal = new Journal();
    Plan plan = null;
    Inputs inputs = ownInputs(rank);
    Optional<RankFiles> files = request.trace();
    Optional<RecordedRun> replayed = replayed();
    if (replayed.isPresent()) {
      RecordedRun run = replayed.get();
      RankFiles place =
          files.orElseThrow(
              () -> new IllegalArgumentException("a replay needs a place for its rank files"));
      FileJournal file = FileJournal.create(place, mode(), rank.number, request.ranks());
      plan = plan(run, new Rank(rank.number), file);
      inputs = replayedInputs(run, rank.number, file);
      if (mode() == Wire.Mode.FOLLOW && request.inputs()) {
        inputs =
            new RecordedInputs(
                inputs, place, rank.number, request.ranks(), () -> file.flag(Wire.Flag.DISK_FULL));
      }
      journal = file;
    } else if (files.isPresent()) {
      FileJournal file =
          FileJournal.create(files.get(), Wire.Mode.RECORD, rank.number, request.ranks());
      if (request.inputs()) {
        inputs =
            new RecordedInputs(
                inputs,
                files.get(),
                rank.number,
                request.ranks(),
                () -> file.flag(Wire.Flag.DISK_FULL));
      }
      journal = file;
    } else if (!machine.matchesAtOnce()) {
      journal = new SignedJournal();
    }
    RankFabric fabric = new RankFabric(rank, journal, plan, inputs);
    rank.fabric = fabric;
    fabrics[rank.number] = fabric;
    if (plan != null) {
      rank.turns.obey(plan);
    }
    if (request.eventFrames().isPresent()) {
      rank.events = events(fabric, rank);
    }
    return fabric;
  }

  /** What the ranks are to do, if they do not decide themselves. */
  private Optional<RecordedRun> replayed() {
    return switch (request.schedule()) {
      case Schedule.Replay(RecordedRun run, _) -> Optional.of(run);
      case Schedule.Follow(RecordedRun base, _, _) -> Optional.of(base);
      case Schedule.Free _, Schedule.Seeded _, Schedule.Chosen _ -> Optional.empty();
    };
  }

  private Wire.Mode mode() {
    return switch (request.schedule()) {
      case Schedule.Replay _ -> Wire.Mode.REPLAY;
      case Schedule.Follow _ -> Wire.Mode.FOLLOW;
      case Schedule.Free _, Schedule.Seeded _, Schedule.Chosen _ -> Wire.Mode.RECORD;
    };
  }

  /** The fabric itself, or one before it that writes down what the program does. */
  private Fabric watched(RankFabric fabric, JobRank rank) {
    return rank.events == null
        ? fabric
        : new WatchedFabric(rank, fabric, machine.syncSends, rank.events);
  }

  private EventJournal events(RankFabric fabric, JobRank rank) {
    RankFiles files =
        request
            .trace()
            .orElseThrow(() -> new IllegalArgumentException("events need a place for their files"));
    Wire.Mode mode = mode();
    return EventJournal.create(
        files,
        mode,
        rank.number,
        request.ranks(),
        request.eventFrames().getAsInt(),
        request.pollsTold(),
        mode == Wire.Mode.FOLLOW ? () -> true : fabric::follows,
        held.map(ranks -> ranks.of(rank.number)));
  }

  private Inputs ownInputs(JobRank rank) {
    return switch (request.schedule()) {
      case Schedule.Free _, Schedule.Replay _, Schedule.Follow _ -> MachineInputs.INSTANCE;
      case Schedule.Seeded(long seed) -> new SeededInputs(seed, rank.number);
      case Schedule.Chosen _ -> new SeededInputs(0, rank.number);
    };
  }

  private @Nullable Plan plan(RecordedRun run, Rank rank, FileJournal journal) {
    if (!run.headers().containsKey(rank)) {
      return null;
    }
    Plan plan;
    if (request.schedule() instanceof Schedule.Follow(_, var ranks, _)) {
      plan = Plan.of(run.header(rank), ranks.getOrDefault(rank, RankPlan.FREE), journal);
    } else {
      try (OrderReader order = run.directory().openOrder(rank)) {
        plan = Plan.read(order, journal);
      }
    }
    journal.obey(plan);
    return plan;
  }

  private static Inputs replayedInputs(RecordedRun run, int rank, FileJournal journal) {
    Rank number = new Rank(rank);
    if (!run.description().inputs()) {
      return MachineInputs.INSTANCE;
    }
    Path file = run.directory().inputsFile(number);
    if (!Files.exists(file)) {
      return new ReplayedInputs(Collections.emptyIterator(), journal);
    }
    try (InputsReader reader = InputsReader.open(file)) {
      return new ReplayedInputs(reader, journal);
    }
  }
}
