package org.reprise.cli.command;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.reprise.analysis.RunEvents;
import org.reprise.causality.EventGraph;
import org.reprise.causality.Progress;
import org.reprise.cli.held.HeldRanksCommand;
import org.reprise.cli.option.ChosenRun;
import org.reprise.cli.option.Format;
import org.reprise.cli.option.LearnOptions;
import org.reprise.cli.option.PeriodText;
import org.reprise.cli.option.SizeText;
import org.reprise.cli.report.DebugJson;
import org.reprise.cli.report.DebuggedEvents;
import org.reprise.cli.terminal.AnalysisProgress;
import org.reprise.cli.terminal.ProgressLine;
import org.reprise.cli.terminal.Session;
import org.reprise.debugger.Answer;
import org.reprise.debugger.Commands;
import org.reprise.debugger.Debugger;
import org.reprise.debugger.Prompt;
import org.reprise.debugger.gdb.Gdbs;
import org.reprise.debugger.hold.Beginnings;
import org.reprise.debugger.jdi.JavaRanks;
import org.reprise.debugger.restore.Checkpoints;
import org.reprise.debugger.source.SourceError;
import org.reprise.launch.embedded.HeldProgram;
import org.reprise.launch.mpi.HeldCommand;
import org.reprise.launch.run.EngineContext;
import org.reprise.recovery.Period;
import org.reprise.recovery.Plan;
import org.reprise.recovery.Policy;
import org.reprise.recovery.Timeline;
import org.reprise.trace.UserError;
import org.reprise.trace.file.PrivateFiles;
import org.reprise.trace.run.RecordedRun;
import org.reprise.trace.text.PlainText;
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

  @Option(
      names = {"-x", "--commands"},
      paramLabel = "FILE",
      description = "Do the commands in this file first, one a line.")
  private List<Path> files = new ArrayList<>();

  @Option(
      names = {"-e", "--command"},
      paramLabel = "COMMAND",
      description = "Do this command first, behind those of files.")
  private List<String> commands = new ArrayList<>();

  @Option(
      names = "--batch",
      description =
          "No prompt: end behind the commands given, or those on standard input. Exit status 1"
              + " means that one failed.")
  private boolean batch;

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
      names = "--mpicc",
      paramLabel = "PATH",
      description = "The compiler of the program's MPI, where Reprise does not find it itself.")
  private Optional<Path> mpicc = Optional.empty();

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description = "How to print answers: ${COMPLETION-CANDIDATES}. JSON is one object a line.")
  private Format format = Format.TEXT;

  private Optional<Prompt> prompt = Optional.empty();

  public DebugCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    List<String> first = given();
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
      boolean well = true;
      for (String line : first) {
        well &= commands.isOver() || done(commands, line);
      }
      if (!batch && !commands.isOver()) {
        prompt(debugger, commands);
        well = true;
      }
      try {
        Runtime.getRuntime().removeShutdownHook(closing);
      } catch (IllegalStateException e) {
        // A signal ends us; what it closes is closed.
      }
      return well ? 0 : 1;
    }
  }

  private Debugger debugger(
      RecordedRun recorded, RunEvents known, DebuggedEvents events, ProgressLine progress) {
    EngineContext context = session.context(false, learning.permission(session));
    if (recorded.description().mpi().family().ranksShareAProcess()) {
      JavaRanks.Parts parts =
          HeldRanksCommand.parts(
              HeldProgram.of(recorded.directory(), context), this::programPrints);
      return new Debugger(events, parts.beginnings(), parts::sources, this::tell);
    }
    HeldCommand command =
        HeldCommand.of(recorded.directory(), mpicc.map(session::resolve), context);
    return new Debugger(
        events,
        beginnings(known, events, command, progress),
        bell -> new Gdbs(bell, events.crashed()),
        this::tell);
  }

  /** Where ranks begin that go back: at checkpoints, if the run is long enough for some. */
  private Beginnings beginnings(
      RunEvents known, DebuggedEvents events, HeldCommand command, ProgressLine progress) {
    Beginnings start = Beginnings.atTheStart(command, this::programPrints);
    if (noCheckpoints) {
      return start;
    }
    Timeline timeline = Timeline.of(events.graph(), known.originNanos());
    if (period.count(timeline) == 0) {
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

  /** The commands of files and options; all of standard input, if nobody is to be asked. */
  private List<String> given() {
    List<String> lines = new ArrayList<>();
    try {
      for (Path file : files) {
        lines.addAll(Files.readAllLines(session.directory().resolve(file)));
      }
      lines.addAll(commands);
      if (batch && files.isEmpty() && commands.isEmpty()) {
        lines.addAll(new String(System.in.readAllBytes(), StandardCharsets.UTF_8).lines().toList());
      }
      return lines;
    } catch (IOException e) {
      throw new UserError(
          "the commands cannot be read",
          String.valueOf(e.getMessage()),
          "give a file that has one command a line");
    }
  }

  private EventGraph graph(RunEvents known) {
    try (AnalysisProgress progress =
        new AnalysisProgress(session.terminal(), Progress.Pass.ORDERING)) {
      return known.graph(progress);
    }
  }

  private void prompt(Debugger debugger, Commands commands) {
    try (Prompt opened = Prompt.open(debugger, history())) {
      prompt = Optional.of(opened);
      opened.loop(commands, this::done);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      prompt = Optional.empty();
    }
  }

  /** Beside the key of the user's runs. */
  private Path history() {
    String state = session.environment().getOrDefault("XDG_STATE_HOME", "");
    Path home = Path.of(session.environment().getOrDefault("HOME", "/"));
    Path directory =
        (state.isEmpty() ? home.resolve(".local/state") : Path.of(state)).resolve("reprise");
    try {
      PrivateFiles.createDirectories(directory);
    } catch (IOException e) {
      // Then nothing is remembered.
    }
    return directory.resolve("debug-history");
  }

  /** Does one line and prints what comes of it; false if it failed. */
  private boolean done(Commands commands, String line) {
    if (batch && format == Format.TEXT && !line.isBlank()) {
      session.terminal().out().println("(reprise) " + line.strip());
    }
    try {
      Answer answer = commands.execute(line);
      print(line, answer, Map.of());
      return !answer.failed();
    } catch (SourceError e) {
      return failed(line, commands.failure(e), "", "");
    } catch (UserError e) {
      return failed(line, e.cause(), e.found(), e.fix());
    }
  }

  private boolean failed(String line, String cause, String found, String fix) {
    Answer answer = new Answer();
    if (format == Format.TEXT) {
      answer.line(cause);
      if (!found.isEmpty()) {
        answer.line("  found: " + found.replace("\n", "\n    "));
      }
      if (!fix.isEmpty()) {
        answer.line("  fix: " + fix.replace("\n", "\n    "));
      }
    }
    print(line, answer, Map.of("error", cause, "found", found, "fix", fix));
    return false;
  }

  private void print(String line, Answer answer, Map<String, String> error) {
    PrintWriter out = session.terminal().out();
    if (format == Format.TEXT) {
      answer.lines().forEach(text -> out.println(PlainText.line(text)));
    } else if (!line.isBlank()) {
      out.println(DebugJson.text(line.strip(), answer, error));
    }
    out.flush();
  }

  private void tell(String sentence) {
    session.terminal().tell(sentence);
  }

  private void programPrints(String line) {
    if (quiet) {
      return;
    }
    if (prompt.isPresent()) {
      prompt.get().print(PlainText.line(line));
    } else if (format == Format.TEXT) {
      session.terminal().out().println(PlainText.line(line));
      session.terminal().out().flush();
    } else {
      session.terminal().err().println(PlainText.line(line));
    }
  }
}
