package org.reprise.cli.command;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.reprise.analysis.RunEvents;
import org.reprise.causality.EventGraph;
import org.reprise.causality.Progress;
import org.reprise.cli.held.HeldRanksCommand;
import org.reprise.cli.option.ChosenRun;
import org.reprise.cli.option.LearnOptions;
import org.reprise.cli.option.PeriodText;
import org.reprise.cli.option.SizeText;
import org.reprise.cli.prompt.CommandShell;
import org.reprise.cli.prompt.PromptOptions;
import org.reprise.cli.report.DebuggedEvents;
import org.reprise.cli.terminal.AnalysisProgress;
import org.reprise.cli.terminal.ProgressLine;
import org.reprise.cli.terminal.Session;
import org.reprise.debugger.Commands;
import org.reprise.debugger.Debugger;
import org.reprise.debugger.RankSet;
import org.reprise.debugger.gdb.Gdbs;
import org.reprise.debugger.hold.Beginnings;
import org.reprise.debugger.jdi.JavaRanks;
import org.reprise.debugger.restore.Checkpoints;
import org.reprise.launch.embedded.HeldProgram;
import org.reprise.launch.mpi.HeldCommand;
import org.reprise.launch.run.EngineContext;
import org.reprise.recovery.Period;
import org.reprise.recovery.Plan;
import org.reprise.recovery.Policy;
import org.reprise.recovery.Timeline;
import org.reprise.trace.UserError;
import org.reprise.trace.run.RecordedRun;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code reprise debug}: stops all ranks of a run at one consistent place, and looks into them. */
@Command(
    name = "debug",
    mixinStandardHelpOptions = true,
    description = {
      "Stops all ranks of a run where you say, and looks into them.",
      "At its prompt, goto 3:4711 stops rank 3 before its event 4711, and every other rank right"
          + " after what had to happen before that; help lists what else there is. Events are"
          + " counted as reprise events lists them. A run that was recorded without events is"
          + " replayed once to learn them."
    },
    footerHeading = "%nExample:%n",
    footer = {
      "  reprise debug",
      "  reprise debug program-3 --batch -x commands.txt --format json",
      "  reprise debug -e 'goto race 1' -e 'print x'"
    })
public final class DebugCommand implements Callable<Integer> {
  private final Session session;

  @Mixin private ChosenRun run;

  @Mixin private LearnOptions learning;

  @Mixin private PromptOptions prompt;

  @Option(names = "--quiet", description = "Do not show what the program prints.")
  private boolean quiet;

  @Option(
      names = "--period",
      paramLabel = "TIME",
      converter = PeriodText.class,
      description =
          "Take a checkpoint of each rank after this time of the run: 300ms, 5s; 2s if not given.")
  private Period.OfTime period = PlanCommand.TWO_SECONDS;

  @Option(
      names = "--policy",
      paramLabel = "POLICY",
      converter = PlanCommand.PolicyWord.class,
      completionCandidates = PlanCommand.PolicyWord.Words.class,
      description =
          "Where checkpoints are taken, as reprise plan explains: ${COMPLETION-CANDIDATES}; ours if"
              + " not given.")
  private Policy policy = Policy.OURS;

  @Option(
      names = "--checkpoint-memory",
      paramLabel = "SIZE",
      converter = SizeText.class,
      description =
          "Checkpoints may have so much memory: 500m, 4g; a quarter of what is free if not given."
              + " What would be more is given up, evenly over the run.")
  private Optional<Long> memory = Optional.empty();

  @Option(
      names = "--no-checkpoints",
      description = "Take no checkpoints: going back replays from the start.")
  private boolean noCheckpoints;

  @Option(
      names = "--only",
      paramLabel = "RANKS",
      description =
          "Replay these ranks alone: 3, or 0-3,7. What the others sent them is taken from one more"
              + " execution of the run, and the others are not there.")
  private Optional<String> only = Optional.empty();

  @Option(
      names = "--mpicc",
      paramLabel = "PATH",
      description = "The compiler of the program's MPI, where Reprise does not find it itself.")
  private Optional<Path> mpicc = Optional.empty();

  private @Nullable CommandShell shell;

  public DebugCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    List<String> first = prompt.given(session);
    CommandShell opened = new CommandShell(session, prompt);
    shell = opened;
    RecordedRun recorded = RecordedRun.open(run.in(session));
    requireOneMachine(recorded);
    int learned = learning.learn(recorded, session);
    if (learned != 0) {
      return learned;
    }
    RunEvents known = session.events(recorded);
    DebuggedEvents events = new DebuggedEvents(recorded, known, graph(known));
    try (ProgressLine progress = new ProgressLine(session.terminal());
        Debugger debugger = debugger(recorded, known, events, progress)) {
      Thread closing = new Thread(debugger::close);
      Runtime.getRuntime().addShutdownHook(closing);
      Commands commands = new Commands(debugger, session.directory());
      int status = opened.run(commands, first);
      try {
        Runtime.getRuntime().removeShutdownHook(closing);
      } catch (IllegalStateException e) {
        // A signal ends us; what it closes is closed.
      }
      return status;
    }
  }

  private Debugger debugger(
      RecordedRun recorded, RunEvents known, DebuggedEvents events, ProgressLine progress) {
    EngineContext context = session.context(false, learning.permission(session));
    Optional<RankSet> alone = only.map(typed -> RankSet.parse(typed, recorded.ranks()));
    boolean java = recorded.description().mpi().family().ranksShareAProcess();
    if (alone.isPresent() && (java || noCheckpoints)) {
      throw new UserError(
          "--only needs ranks that can be restored from checkpoints",
          java
              ? recorded.directory().name() + " is a Java program on Reprise's own engine"
              : "--no-checkpoints",
          java ? "leave out --only" : "give one of the two");
    }
    if (java) {
      JavaRanks.Parts parts =
          HeldRanksCommand.parts(
              HeldProgram.of(recorded.directory(), context), this::programPrints);
      return new Debugger(events, alone, parts.beginnings(), parts::sources, this::tell);
    }
    HeldCommand command =
        HeldCommand.of(recorded.directory(), mpicc.map(session::resolve), context);
    return new Debugger(
        events,
        alone,
        beginnings(known, events, command, alone, progress),
        bell -> new Gdbs(bell, events.crashed()),
        this::tell);
  }

  /** Where ranks begin that go back: at checkpoints, if the run is long enough for some. */
  private Beginnings beginnings(
      RunEvents known,
      DebuggedEvents events,
      HeldCommand command,
      Optional<RankSet> alone,
      ProgressLine progress) {
    Beginnings start = Beginnings.atTheStart(command, this::programPrints);
    if (noCheckpoints) {
      return start;
    }
    Timeline timeline = Timeline.of(events.graph(), known.originNanos());
    if (period.count(timeline) == 0 && alone.isEmpty()) {
      return start;
    }
    progress.show("planning checkpoints");
    Plan plan = Plan.of(timeline, period, policy);
    progress.show("");
    return new Checkpoints(
        plan,
        events::calls,
        command,
        start,
        memory.isPresent() ? OptionalLong.of(memory.get()) : OptionalLong.empty(),
        alone,
        new Checkpoints.Words(this::tell, progress::show, this::programPrints));
  }

  private static void requireOneMachine(RecordedRun recorded) {
    if (recorded.description().hosts().size() > 1) {
      throw new UserError(
          "the debugger holds ranks of this machine only",
          recorded.directory().name()
              + " ran on "
              + recorded.description().hosts().size()
              + " machines",
          "record it on one machine, with mpirun --oversubscribe where it has too few cores");
    }
  }

  private EventGraph graph(RunEvents known) {
    try (AnalysisProgress progress =
        new AnalysisProgress(session.terminal(), Progress.Pass.ORDERING)) {
      return known.graph(progress);
    }
  }

  private void tell(String sentence) {
    session.terminal().tell(sentence);
  }

  private void programPrints(String line) {
    CommandShell opened = shell;
    if (!quiet && opened != null) {
      opened.programPrints(line);
    }
  }
}
