package org.reprise.cli.command;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.reprise.analysis.OrderChange;
import org.reprise.analysis.RunEvents;
import org.reprise.causality.EventGraph;
import org.reprise.causality.Progress;
import org.reprise.causality.races.Races;
import org.reprise.causality.races.RacingSite;
import org.reprise.causality.races.RacingSites;
import org.reprise.cli.option.ChosenRun;
import org.reprise.cli.option.EventName;
import org.reprise.cli.option.LearnOptions;
import org.reprise.cli.option.RunName;
import org.reprise.cli.terminal.AnalysisProgress;
import org.reprise.cli.terminal.EndingText;
import org.reprise.cli.terminal.ProgressLine;
import org.reprise.cli.terminal.Session;
import org.reprise.exploration.Decision;
import org.reprise.exploration.Execution;
import org.reprise.exploration.OldOrder;
import org.reprise.exploration.Taken;
import org.reprise.launch.Engine;
import org.reprise.launch.explore.SteeredRun;
import org.reprise.launch.explore.TracedRun;
import org.reprise.launch.run.EngineContext;
import org.reprise.launch.run.FollowRequest;
import org.reprise.launch.run.Followed;
import org.reprise.launch.run.Recording;
import org.reprise.launch.run.Replay;
import org.reprise.launch.run.ReplayRequest;
import org.reprise.launch.run.RunConditions;
import org.reprise.trace.UserError;
import org.reprise.trace.order.RankPlan;
import org.reprise.trace.run.RecordedRun;
import org.reprise.trace.run.RunDescription;
import org.reprise.trace.text.Words;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code reprise alter}: runs a program again with one outcome of a run changed. */
@Command(
    name = "alter",
    mixinStandardHelpOptions = true,
    description = {
      "Runs a program again with one outcome of a run changed.",
      "Everything of the run that does not need that outcome is forced as it was, the receive takes"
          + " the other message, and from there on the program is free. What comes of it is a run"
          + " of its own, to be replayed like any other. A change that no execution can have is"
          + " refused, with the reason. The exit status is the program's own; 67 means that the"
          + " program did not do what it was to do."
    },
    footerHeading = "%nExample:%n",
    footer = {
      "  reprise alter --receive 0:4 --take 2",
      "  reprise alter program-3 --race 1 --follow",
      "  reprise alter program-3 --waitany 0:17 --index 1"
    })
public final class AlterCommand implements Callable<Integer> {
  private static final Pattern SOURCE = Pattern.compile("(\\d{1,9})(?::(\\d{1,9}))?");

  private final Session session;

  @Spec private CommandSpec spec;

  @Mixin private ChosenRun run;

  @Mixin private LearnOptions learning;

  @Option(
      names = "--receive",
      paramLabel = "RANK:EVENT",
      converter = EventName.Converter.class,
      description = "The receive that takes another message, as reprise events numbers it.")
  private Optional<EventName> receive = Optional.empty();

  @Option(
      names = "--probe",
      paramLabel = "RANK:EVENT",
      converter = EventName.Converter.class,
      description = "The probe that sees another message.")
  private Optional<EventName> probe = Optional.empty();

  @Option(
      names = "--take",
      paramLabel = "SOURCE[:TAG]",
      description = "The rank whose message it takes or sees, and the tag if there are several.")
  private Optional<String> take = Optional.empty();

  @Option(
      names = "--race",
      paramLabel = "N",
      description = "The change that the N-th finding of reprise races describes.")
  private Optional<Integer> race = Optional.empty();

  @Option(
      names = "--waitany",
      paramLabel = "RANK:EVENT",
      converter = EventName.Converter.class,
      description = "The Waitany or Testany that completes another request.")
  private Optional<EventName> waitany = Optional.empty();

  @Option(names = "--index", paramLabel = "I", description = "Which request that is, from 0.")
  private Optional<Integer> index = Optional.empty();

  @Option(
      names = "--poll",
      paramLabel = "RANK:EVENT",
      converter = EventName.Converter.class,
      description = "The Test or Iprobe that is answered otherwise.")
  private Optional<EventName> poll = Optional.empty();

  @Option(names = "--answer", paramLabel = "yes|no", description = "What it is answered.")
  private Optional<Answer> answer = Optional.empty();

  @Option(
      names = "--follow",
      description =
          "Behind the change, take what the old run took wherever that is possible, by further runs;"
              + " else the program is free there.")
  private boolean follow;

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "Call the new run NAME instead of after the old one.")
  private Optional<String> name = Optional.empty();

  @Option(
      names = "--events",
      description = "Record the events of the new run, too; else they are learned when needed.")
  private boolean events;

  @Option(
      names = "--mpicc",
      paramLabel = "PATH",
      description = "The compiler of the program's MPI, where Reprise does not find it itself.")
  private Optional<Path> mpicc = Optional.empty();

  @Option(
      names = "--stall-limit",
      paramLabel = "SECONDS",
      description = "End the run when no rank could go on for so long; 30 if not given.")
  private Optional<Long> stallLimit = Optional.empty();

  @Option(
      names = "--no-prefix",
      description = "Java: print lines without the rank, which they begin with on a terminal.")
  private boolean noPrefix;

  enum Answer {
    YES,
    NO
  }

  public AlterCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    checkOptions();
    name.ifPresent(wanted -> RunName.check(session.store(), wanted));
    RecordedRun base = RecordedRun.open(run.in(session));
    base.description()
        .distilledFrom()
        .ifPresent(
            from -> {
              throw new UserError(
                  "a distilled run cannot be altered",
                  base.directory().name() + " holds only what a replay must force",
                  "alter the run that it was made of: reprise alter " + from);
            });
    int learned = learning.learn(base, session);
    if (learned != 0) {
      return learned;
    }
    Execution execution = execution(base);
    OrderChange change = change(base, execution);
    session
        .terminal()
        .tell(
            change.words()
                + "; "
                + Words.count(change.forced(), "other outcome")
                + " forced, "
                + change.freed()
                + " left free");
    return follow(base, change, follow ? asBefore(base, execution, change) : change.plan());
  }

  /** The plan of a run that has the change, and behind it what the old run had, if it can. */
  private List<RankPlan> asBefore(RecordedRun base, Execution old, OrderChange change) {
    Set<Decision> changed = new HashSet<>();
    Taken.of(change.plan()).forEach(each -> changed.add(each.decision()));
    try (ProgressLine progress = new ProgressLine(session.terminal());
        SteeredRun steered =
            new SteeredRun(
                session.store(),
                told ->
                    Engine.of(
                        base.description().mpi().family(),
                        new EngineContext(
                            session.surroundings(),
                            session.terminal().rankConsole(true),
                            told,
                            learning.permission(session))),
                mpicc.map(session::resolve),
                stallLimit.map(Duration::ofSeconds).orElse(ReplayRequest.STALL_LIMIT),
                _ -> new OldOrder(old),
                run -> progress.show("run " + run))) {
      SteeredRun.Steered made = steered.follow(base, change.plan(), changed);
      progress.erase();
      return made.orders();
    }
  }

  private void checkOptions() {
    long kinds = Stream.of(receive, probe, race, waitany, poll).filter(Optional::isPresent).count();
    if (kinds != 1) {
      throw new ParameterException(
          spec.commandLine(),
          "say what to change: one of --receive, --probe, --race, --waitany, --poll");
    }
    boolean takes = receive.isPresent() || probe.isPresent();
    if (takes && take.isEmpty() || take.isPresent() && !takes && poll.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), "--receive and --probe need --take, and --take needs one of them");
    }
    if (take.isPresent() && !SOURCE.matcher(take.get()).matches()) {
      throw new ParameterException(
          spec.commandLine(), "--take wants a rank, and behind a colon a tag: 2, or 2:7");
    }
    if (waitany.isPresent() != index.isPresent() || poll.isPresent() != answer.isPresent()) {
      throw new ParameterException(
          spec.commandLine(), "--waitany needs --index, and --poll needs --answer");
    }
    if (stallLimit.orElse(1L) < 1) {
      throw new ParameterException(spec.commandLine(), "--stall-limit must be above zero");
    }
  }

  private Execution execution(RecordedRun base) {
    try (AnalysisProgress progress =
        new AnalysisProgress(session.terminal(), Progress.Pass.ORDERING)) {
      return new Execution(
          session.events(base).graph(progress), TracedRun.orders(base), TracedRun.numbering(base));
    }
  }

  private OrderChange change(RecordedRun base, Execution execution) {
    RunEvents lines = session.events(base);
    EventGraph graph = execution.graph();
    OrderChange.Maker maker = new OrderChange.Maker(execution, lines);
    if (race.isPresent()) {
      return maker.race(chosenRace(RacingSites.of(graph, Races.controlSet(graph), lines)));
    }
    if (waitany.isPresent()) {
      return maker.index(waitany.get().rank(), waitany.get().number(), index.orElseThrow());
    }
    OptionalInt source = OptionalInt.empty();
    OptionalInt tag = OptionalInt.empty();
    if (take.isPresent()) {
      Matcher parts = SOURCE.matcher(take.get());
      if (parts.matches()) {
        source = OptionalInt.of(Integer.parseInt(parts.group(1)));
        tag =
            parts.group(2) == null
                ? OptionalInt.empty()
                : OptionalInt.of(Integer.parseInt(parts.group(2)));
      }
    }
    EventName named = receive.or(() -> probe).or(() -> poll).orElseThrow();
    return poll.isPresent()
        ? maker.poll(
            poll.get().rank(), poll.get().number(), answer.orElseThrow() == Answer.YES, source)
        : maker.take(named.rank(), named.number(), source.orElseThrow(), tag);
  }

  private RacingSite chosenRace(List<RacingSite> sites) {
    int number = race.orElseThrow();
    if (number < 1 || number > sites.size()) {
      throw new UserError(
          "there is no such race in this run",
          number + ", where reprise races has " + Words.count(sites.size(), "finding"),
          "count its findings from 1");
    }
    return sites.get(number - 1);
  }

  private int follow(RecordedRun base, OrderChange change, List<RankPlan> plan) {
    try (Engine engine =
        session.engine(base.description().mpi().family(), noPrefix, learning.permission(session))) {
      FollowRequest request =
          new FollowRequest(
              base,
              TracedRun.byRank(plan),
              Optional.of(
                  new RunDescription.Change(change.words(), change.choice().stream().toList())),
              name.orElse(stem(base.directory().name())),
              mpicc.map(session::resolve),
              OptionalLong.empty(),
              stallLimit.map(Duration::ofSeconds).orElse(ReplayRequest.STALL_LIMIT),
              events ? OptionalInt.of(1) : OptionalInt.empty(),
              false,
              RunConditions.USUAL);
      Followed followed =
          engine.follow(session.store(), request, recording -> interrupted(recording));
      Recording recording =
          name.map(wanted -> RunName.give(session.store(), followed.recording(), wanted))
              .orElse(followed.recording());
      session.store().setLatest(recording.run());
      recording.warnings().forEach(session.terminal()::tell);
      return tell(followed, recording);
    }
  }

  /** Runs of a program are numbered; the altered one is the next of them. */
  private static String stem(String name) {
    return name.replaceFirst("-[1-9][0-9]*$", "");
  }

  private int interrupted(Recording recording) {
    session.terminal().tell("interrupted; what was recorded is " + recording.run().path());
    return recording.exitStatus();
  }

  private int tell(Followed followed, Recording recording) {
    String where = "recorded " + recording.run().path() + ": ";
    switch (followed.use()) {
      case Followed.PlanUse.Whole() ->
          session
              .terminal()
              .tell(
                  where
                      + "it did what was changed, and the command "
                      + (followed.stalled() && recording.end().failure().isEmpty()
                          ? "stalled: no rank could go on"
                          : EndingText.sentence(recording.description().ending())));
      case Followed.PlanUse.Left(var rank, _) ->
          session
              .terminal()
              .tell(
                  where
                      + rank
                      + " did something else than in the run before the change was reached:"
                      + " the program depends on more than its messages");
      case Followed.PlanUse.Unused(var ranks) ->
          session
              .terminal()
              .tell(
                  where
                      + "it ended before "
                      + ranks.getFirst()
                      + " had done what it was to do"
                      + (followed.stalled() ? ": no rank could go on" : ""));
    }
    return followed.use() instanceof Followed.PlanUse.Whole
        ? recording.exitStatus()
        : Replay.NOT_THE_SAME;
  }
}
