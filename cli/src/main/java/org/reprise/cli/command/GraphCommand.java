package org.reprise.cli.command;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.reprise.analysis.Claims;
import org.reprise.analysis.CriticalTimes;
import org.reprise.analysis.GraphSummary;
import org.reprise.analysis.RunEvents;
import org.reprise.causality.Cut;
import org.reprise.causality.EventGraph;
import org.reprise.causality.EventTable;
import org.reprise.causality.Progress;
import org.reprise.cli.option.ChosenRun;
import org.reprise.cli.option.CutConverter;
import org.reprise.cli.option.EventName;
import org.reprise.cli.option.Format;
import org.reprise.cli.option.LearnOptions;
import org.reprise.cli.report.GraphJson;
import org.reprise.cli.report.GraphPrinter;
import org.reprise.cli.report.GraphText;
import org.reprise.cli.terminal.AnalysisProgress;
import org.reprise.cli.terminal.Session;
import org.reprise.trace.Rank;
import org.reprise.trace.UserError;
import org.reprise.trace.events.EventReader;
import org.reprise.trace.file.HeaderField;
import org.reprise.trace.run.RecordedRun;
import org.reprise.trace.text.Words;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code reprise graph}: what had to happen before what in a run. */
@Command(
    name = "graph",
    mixinStandardHelpOptions = true,
    description = {
      "Answers what had to happen before what in a run.",
      "Without a question, it says how large the run is.",
      "An event is named by its rank and its number there, as reprise events lists them: 2:17. One"
          + " event is before another if it must have begun before the other can return. A run"
          + " that was recorded without events is replayed once to learn them."
    },
    footerHeading = "%nExample:%n",
    footer = {
      "  reprise graph",
      "  reprise graph --critical-path",
      "  reprise graph program-3 --order 0:5 2:17",
      "  reprise graph --breakpoint 2:17",
      "  reprise graph --cut 5,7+,3"
    })
public final class GraphCommand implements Callable<Integer> {
  /** As of {@code diff}: the answer is no. */
  private static final int NOT_CONSISTENT = 1;

  private final Session session;

  @Spec private CommandSpec spec;

  @Mixin private ChosenRun run;

  @Mixin private LearnOptions learning;

  @ArgGroup(exclusive = true, multiplicity = "0..1")
  private Question question = new Question();

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "Print N entries of a list at most; 20 if not given.")
  private int limit = 20;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description = "How to print: ${COMPLETION-CANDIDATES}.")
  private Format format = Format.TEXT;

  /** What is asked: one of these. */
  static final class Question {
    @Option(
        names = "--critical-path",
        required = true,
        description = "The chain of calls that the run's duration hung on, and where it spent it.")
    private boolean criticalPath;

    @Option(
        names = "--past",
        paramLabel = "EVENT",
        required = true,
        converter = EventName.Converter.class,
        description = "How far every rank must have come before this event can return.")
    private Optional<EventName> past = Optional.empty();

    @Option(
        names = "--future",
        paramLabel = "EVENT",
        required = true,
        converter = EventName.Converter.class,
        description = "What cannot return before this event has begun.")
    private Optional<EventName> future = Optional.empty();

    @Option(
        names = "--breakpoint",
        paramLabel = "EVENT",
        required = true,
        converter = EventName.Converter.class,
        description = "Where to stop each rank: right after its last call that is before this one.")
    private Optional<EventName> breakpoint = Optional.empty();

    @Option(
        names = "--order",
        arity = "2",
        paramLabel = "EVENT",
        required = true,
        converter = EventName.Converter.class,
        description = "Which of two events is before the other, and by which calls; or neither.")
    private List<EventName> order = new ArrayList<>();

    @Option(
        names = "--cut",
        paramLabel = "CALLS",
        required = true,
        converter = CutConverter.class,
        description =
            "Whether a run can be where each rank has returned from so many calls (7+: and is"
                + " inside the next); if not, what crosses. Exit status 1 means that it cannot.")
    private Optional<Cut> cut = Optional.empty();

    private boolean isAsked() {
      return criticalPath
          || past.isPresent()
          || future.isPresent()
          || breakpoint.isPresent()
          || !order.isEmpty()
          || cut.isPresent();
    }
  }

  public GraphCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    if (limit < 0) {
      throw new ParameterException(spec.commandLine(), "--limit must not be negative");
    }
    RecordedRun recorded = RecordedRun.open(run.in(session));
    int learned = learning.learn(recorded, session);
    RunEvents known = session.events(recorded);
    EventGraph graph = graph(known);
    List<String> limits = Claims.of(recorded, known, graph).notes(Claims.Claim.NO_OTHER_ORDER);
    limits.forEach(session.terminal()::tell);
    GraphPrinter printer =
        format == Format.JSON
            ? new GraphJson(session.terminal().out(), known, graph, limits, limit)
            : new GraphText(session.terminal().out(), known, graph, limits, limit);
    int status = 0;
    if (question.isAsked()) {
      status = answer(new Asked(recorded, known, graph), printer);
    } else {
      printer.summary(GraphSummary.of(graph));
    }
    return learned != 0 ? learned : status;
  }

  private EventGraph graph(RunEvents known) {
    try (AnalysisProgress progress =
        new AnalysisProgress(session.terminal(), Progress.Pass.ORDERING)) {
      return known.graph(progress);
    }
  }

  private int answer(Asked asked, GraphPrinter printer) {
    EventGraph graph = asked.graph;
    question.past.map(asked::event).ifPresent(event -> printer.past(event, graph.past(event)));
    question
        .future
        .map(asked::event)
        .ifPresent(event -> printer.future(event, graph.future(event)));
    question
        .breakpoint
        .map(asked::event)
        .ifPresent(event -> printer.breakpoint(event, graph.breakpoint(event)));
    if (!question.order.isEmpty()) {
      printer.order(asked.event(question.order.getFirst()), asked.event(question.order.getLast()));
    }
    if (question.criticalPath) {
      printer.criticalPath(asked.criticalTimes());
    }
    if (question.cut.isPresent()) {
      Cut cut = asked.cut(question.cut.get());
      boolean consistent = graph.isConsistent(cut);
      printer.cut(cut, consistent);
      return consistent ? 0 : NOT_CONSISTENT;
    }
    return 0;
  }

  /** The run that is asked about; finds in it what the user named. */
  private record Asked(RecordedRun run, RunEvents places, EventGraph graph) {
    int event(EventName name) {
      EventTable events = graph.events();
      if (name.rank() >= events.ranks()) {
        throw new UserError(
            "there is no rank " + name.rank() + " in " + run.directory().name(),
            Words.count(events.ranks(), "rank") + ", counted from 0",
            "name an event of one of them: RANK:NUMBER");
      }
      int size = events.size(name.rank());
      if (name.number() >= size) {
        throw new UserError(
            "there is no event " + name + " in " + run.directory().name(),
            "rank %d has %s, counted from 0".formatted(name.rank(), Words.count(size, "event")),
            "reprise events %s --rank %d lists them"
                .formatted(run.directory().name(), name.rank()));
      }
      return known(name);
    }

    /** The event, if the graph has got to it. */
    private int known(EventName name) {
      int event = graph.events().event(name.rank(), name.number());
      if (!graph.contains(event)) {
        throw new UserError(
            "nothing can be said of event " + name,
            "the traces of the ranks contradict each other before it",
            "learn the events again: reprise events --stack 1");
      }
      return event;
    }

    Cut cut(Cut typed) {
      EventTable events = graph.events();
      int given = typed.moments().length;
      if (given != events.ranks()) {
        throw new UserError(
            "a cut has a number for each rank",
            "%d given, and %s".formatted(given, Words.count(events.ranks(), "rank")),
            "give %s, like %s"
                .formatted(
                    Words.count(events.ranks(), "number"),
                    new Cut(new int[events.ranks()]).text()));
      }
      for (int rank = 0; rank < given; rank++) {
        if (typed.begun(rank) > events.size(rank)) {
          throw new UserError(
              "rank %d does not come to call %d".formatted(rank, typed.begun(rank)),
              "it has " + Words.count(events.size(rank), "event"),
              "reprise events %s --rank %d lists them".formatted(run.directory().name(), rank));
        }
        if (typed.begun(rank) > 0) {
          known(new EventName(rank, typed.begun(rank) - 1));
        }
      }
      return typed;
    }

    CriticalTimes criticalTimes() {
      long[] origins = new long[graph.events().ranks()];
      Set<String> hosts = new HashSet<>();
      for (Rank rank : places.ranks()) {
        try (EventReader events = run.directory().openEvents(rank)) {
          origins[rank.number()] = events.header().get(HeaderField.START_NANOS);
          hosts.add(events.header().host());
        }
      }
      return CriticalTimes.of(graph, places, origins, hosts.size());
    }
  }
}
