package org.reprise.cli.command;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import org.reprise.analysis.live.LiveFinding;
import org.reprise.analysis.live.LiveRun;
import org.reprise.analysis.live.LiveSearch;
import org.reprise.cli.option.JudgeOptions;
import org.reprise.cli.option.RunName;
import org.reprise.cli.option.RunOptions;
import org.reprise.cli.report.FailureText;
import org.reprise.cli.terminal.EndingText;
import org.reprise.cli.terminal.ProgressLine;
import org.reprise.cli.terminal.Session;
import org.reprise.cli.watch.LiveText;
import org.reprise.launch.Engine;
import org.reprise.launch.explore.Repetition;
import org.reprise.launch.run.NotRecordable;
import org.reprise.launch.run.RecordRequest;
import org.reprise.launch.run.Recording;
import org.reprise.launch.run.RunRequest;
import org.reprise.launch.run.WhenFull;
import org.reprise.trace.UserError;
import org.reprise.trace.file.Wire;
import org.reprise.trace.run.RunDirectory;
import org.reprise.trace.run.RunStore;
import org.reprise.trace.run.RunSummary;
import org.reprise.trace.text.Words;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code reprise record}: runs a program and keeps what its replay needs. */
@Command(
    name = "record",
    mixinStandardHelpOptions = true,
    description = {
      "Runs a program and records the order of its messages.",
      "It is an MPI program, started as without Reprise; or, with -n, a Java program in ranks of"
          + " Reprise's own engine, which needs no MPI. The program's output and exit status are"
          + " its own; what Reprise has to say is one line on standard error at the end, and a line"
          + " for each thing the recording does not hold."
    },
    footerHeading = "%nExample:%n",
    footer = {
      "  reprise record mpirun -n 4 ./program input.dat",
      "  reprise record --jitter 7 -o runs -- mpirun -n 4 ./program",
      "  reprise record --until-fails --jitter 1 --explain mpirun -n 4 ./program",
      "  reprise record --on-deadlock stop mpirun -n 4 ./program",
      "  reprise record --warn mpirun -n 4 ./program",
      "  reprise record --rules order.txt mpirun -n 4 ./program",
      "  reprise record -n 4 Program.java input.dat",
      "  reprise record -n 4 --seed 7 -cp classes:lib.jar Main"
    })
public final class RecordCommand implements Callable<Integer> {
  /** As many as the interposer keeps. */
  static final int FRAMES_MAX = Wire.FRAMES_MAX;

  private static final long REPEATED = 1000;
  private static final int LINES_MAX = 8;
  private static final int INTERRUPTED = 130;

  private final Session session;

  /** The search for races beside the program, once the run has begun. */
  private Optional<LiveSearch> search = Optional.empty();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "DIR",
      description = "Keep the run in this directory instead of the one for all runs.")
  private Optional<Path> output = Optional.empty();

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "Call the run NAME instead of after its program.")
  private Optional<String> name = Optional.empty();

  @Option(
      names = "--no-inputs",
      description = "Do not record what the program reads from clocks and random sources.")
  private boolean noInputs;

  @Option(
      names = "--events",
      description =
          "Record every send, receive, probe, completion and collective too, with its place in the "
              + "source. Slower; without it, reprise events learns them by a replay.")
  private boolean events;

  @Option(
      names = "--stack",
      paramLabel = "N",
      description = "With --events: N frames of the stack for each event; 1 if not given.")
  private Optional<Integer> stack = Optional.empty();

  @Option(
      names = "--live",
      description =
          "Find races while the program runs, in the process that records, and say at the end how"
              + " many receives raced. Events are not kept, unless --events asks for them.")
  private boolean live;

  @Option(
      names = "--warn",
      description =
          "Tell of the first race of each pair of lines as soon as it happens. Includes --live.")
  private boolean warn;

  @Option(
      names = "--fail",
      description = "End with status 66 if a receive or probe raced. Includes --live.")
  private boolean fail;

  @Option(
      names = "--when-full",
      paramLabel = "wait|order|spill",
      description =
          "With --live: what a rank does when the search is too far behind it. wait: wait. order: go"
              + " on without events, so that the search ends there. spill: write them to a file that"
              + " is emptied behind the search, of 1 GB at most, and order from there; as if given.")
  private Optional<OnFullRing> whenFull = Optional.empty();

  @Option(
      names = "--on-deadlock",
      paramLabel = "report|stop",
      description =
          "Watch for a deadlock of an MPI program, and say who waits for whom. stop: end the"
              + " program then, with status 68. Watching makes recording slower.")
  private Optional<OnDeadlock> onDeadlock = Optional.empty();

  @Option(
      names = "--until-fails",
      description =
          "Record again and again until the program fails, and keep that run alone. With --jitter"
              + " each run has another seed, from the one given on.")
  private boolean untilFails;

  @Option(
      names = "--max",
      paramLabel = "N",
      description = "With --until-fails: N runs at most; 1000 if not given.")
  private Optional<Long> max = Optional.empty();

  @Option(
      names = "--explain",
      description = "With --until-fails: go on with reprise explain when a run has failed.")
  private boolean explain;

  @Option(
      names = "--choose",
      description =
          "Ask at each receive and probe that could get several messages which one it gets. The"
              + " program is run again for each answer that is not as it came.")
  private boolean choose;

  @Option(
      names = "--rules",
      paramLabel = "FILE",
      description =
          "Let rules decide that, one a line: tag 7: lowest source first; rank 0: last come first;"
              + " never rank 3 before rank 1.")
  private Optional<Path> rules = Optional.empty();

  @Option(
      names = "--automatic",
      description =
          "Record as reprise always does: say nothing, run the program as it is where it cannot be"
              + " recorded, and let the run be removed when there are too many.")
  private boolean automatic;

  @Mixin private JudgeOptions judging;

  /** What the option takes. */
  enum OnFullRing {
    wait,
    order,
    spill
  }

  /** What the option takes. */
  enum OnDeadlock {
    report,
    stop
  }

  @Spec private CommandSpec spec;

  @Mixin private RunOptions options;

  public RecordCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    boolean searched = live || warn || fail;
    boolean kept = events;
    events |= searched;
    if (whenFull.isPresent() && (kept || !searched)) {
      throw new ParameterException(
          spec.commandLine(), "--when-full needs --live, and goes not with --events");
    }
    if (stack.orElse(1) < 1 || stack.orElse(1) > FRAMES_MAX || (stack.isPresent() && !events)) {
      throw new ParameterException(
          spec.commandLine(), "--stack needs --events, and a number from 1 to " + FRAMES_MAX);
    }
    boolean repeated = max.isPresent() || explain || judging.areGiven();
    if (searched && untilFails) {
      throw new ParameterException(
          spec.commandLine(), "--live, --warn and --fail are for one run, not for --until-fails");
    }
    if (repeated && !untilFails || max.orElse(1L) < 1) {
      throw new ParameterException(
          spec.commandLine(),
          "--max, --explain, --judge, --ignore and --stall-limit need --until-fails, and --max is"
              + " above zero");
    }
    if (automatic && isAttended()) {
      throw new ParameterException(
          spec.commandLine(), "--automatic goes with no other option of reprise record");
    }
    RunStore store = output.map(RunStore::new).orElseGet(session::store);
    if (choose || rules.isPresent()) {
      if (choose && rules.isPresent()
          || untilFails
          || events
          || noInputs
          || onDeadlock.isPresent()) {
        throw new ParameterException(
            spec.commandLine(),
            "--choose and --rules go with none of each other, --until-fails, --events, --no-inputs"
                + " and --on-deadlock: events are recorded, and a deadlock ends the run");
      }
      return new SteeredRecording(session, options, rules.map(session::resolve))
          .record(store, name);
    }
    if (untilFails) {
      return untilFails(store);
    }
    if (automatic) {
      return new AutomaticRecording(session, options, store).record();
    }
    Engine engine = options.engine(session);
    name.ifPresent(wanted -> RunName.check(store, wanted));
    RecordRequest request =
        new RecordRequest(
                options.command("record"),
                options.mpicc(),
                options.jitter(),
                !noInputs,
                events ? OptionalInt.of(stack.orElse(1)) : OptionalInt.empty())
            .withOnDeadlock(onDeadlock())
            .withLive(searched && !kept ? Optional.of(onFullRing()) : Optional.empty())
            .withBegun(run -> search = searched ? search(run) : Optional.empty());
    try {
      return finish(
          store, engine.record(store, request, recording -> finishInterrupted(store, recording)));
    } catch (NotRecordable noRoom) {
      FailureText.print(session.terminal(), noRoom.reason());
      session.terminal().tell("the program runs without being recorded");
      return engine.run(new RunRequest(request.command(), request.mpicc(), request.jitterSeed()));
    }
  }

  /** Whether somebody asked for something, and wants to hear what came of it. */
  private boolean isAttended() {
    return name.isPresent()
        || events
        || onDeadlock.isPresent()
        || untilFails
        || choose
        || rules.isPresent();
  }

  private int untilFails(RunStore store) {
    long most = max.orElse(REPEATED);
    Repetition.Request request =
        new Repetition.Request(
            options.command("record"),
            name.orElseGet(() -> options.programName(session)),
            most,
            options.jitter(),
            options.mpicc(),
            judging.stallLimit(),
            judging.judge(session));
    try (ProgressLine progress = new ProgressLine(session.terminal())) {
      Repetition.Result result =
          Repetition.run(
              store,
              told -> options.engine(session, told),
              request,
              run -> progress.show(Words.count(run, "run") + " of " + most + ", none failed"));
      progress.erase();
      if (result.failure().isEmpty()) {
        session
            .terminal()
            .tell("none of " + Words.count(result.runs(), "run") + " failed; none is kept");
        return result.interrupted() ? INTERRUPTED : 0;
      }
      session
          .terminal()
          .tell(
              "run "
                  + result.runs()
                  + " "
                  + result.outcome().words()
                  + ", and is recorded as "
                  + result.failure().get().path());
      result.outcome().text().lines().limit(LINES_MAX).forEach(session.terminal()::tell);
      return explain ? explained(result.failure().get().path()) : RacesCommand.FOUND;
    }
  }

  private int explained(Path failing) {
    List<String> words = new ArrayList<>(List.of("explain", failing.toString()));
    words.addAll(judging.words());
    return spec.commandLine().getParent().execute(words.toArray(String[]::new));
  }

  private WhenFull onFullRing() {
    return switch (whenFull.orElse(OnFullRing.spill)) {
      case wait -> WhenFull.WAIT;
      case order -> WhenFull.ORDER;
      case spill -> WhenFull.SPILL;
    };
  }

  private RecordRequest.OnDeadlock onDeadlock() {
    return switch (onDeadlock.orElse(null)) {
      case report -> RecordRequest.OnDeadlock.REPORT;
      case stop -> RecordRequest.OnDeadlock.STOP;
      case null -> RecordRequest.OnDeadlock.IGNORE;
    };
  }

  private Optional<LiveSearch> search(RunDirectory run) {
    return Optional.of(
        LiveSearch.start(
            run,
            session.surroundings(),
            new LiveSearch.Listener() {
              @Override
              public void found(LiveFinding finding) {
                if (warn) {
                  session.terminal().tell("race: " + finding.text());
                }
              }

              @Override
              public List<String> text(LiveRun soFar) {
                return LiveText.page(soFar);
              }
            }));
  }

  private int finish(RunStore store, Recording ended) {
    Optional<LiveRun> found = search.flatMap(this::end);
    ended.warnings().forEach(session.terminal()::tell);
    session.terminal().tell(inOneLine(named(store, ended)));
    found.flatMap(LiveText::rings).ifPresent(session.terminal()::tell);
    found.ifPresent(run -> session.terminal().tell(LiveText.inOneLine(run)));
    boolean raced = found.map(run -> run.racing() > 0).orElse(false);
    return fail && raced ? RacesCommand.FOUND : ended.exitStatus();
  }

  /** What the search has found; the recording is whole without it. */
  private Optional<LiveRun> end(LiveSearch searching) {
    try {
      return Optional.of(searching.end());
    } catch (RuntimeException failure) {
      FailureText.print(session.terminal(), failure);
      session.terminal().tell("races were not searched to the end; the recording is whole");
      return Optional.empty();
    }
  }

  /** Under the name that the user wants, if that is possible: the program has ended in any case. */
  private Recording named(RunStore store, Recording ended) {
    try {
      return name.map(wanted -> RunName.give(store, ended, wanted)).orElse(ended);
    } catch (UserError failure) {
      FailureText.print(session.terminal(), failure);
      return ended;
    }
  }

  /** The same where nobody catches what is thrown: in the thread of a signal. */
  private int finishInterrupted(RunStore store, Recording ended) {
    try {
      return finish(store, ended);
    } catch (RuntimeException thrown) {
      FailureText.print(session.terminal(), thrown);
      return ended.exitStatus();
    }
  }

  private static String inOneLine(Recording recording) {
    return recording.summary().map(_ -> "recorded ").orElse("there is nothing to replay in ")
        + recording.run().path()
        + ": "
        + recording.summary().map(RecordCommand::numbers).orElse("no rank left a trace")
        + "; the command "
        + EndingText.sentence(recording.description().ending());
  }

  private static String numbers(RunSummary summary) {
    List<String> parts = new ArrayList<>();
    parts.add(Words.count(summary.ranks().size(), "rank"));
    parts.add(Words.count(summary.receives(), "receive"));
    parts.add(summary.wildcardReceives() + " of them with a wildcard");
    if (summary.wildcardProbes() > 0) {
      parts.add(Words.count(summary.wildcardProbes(), "wildcard probe"));
    }
    parts.add(Words.bytes(summary.bytes()) + " of records");
    return String.join(", ", parts);
  }
}
