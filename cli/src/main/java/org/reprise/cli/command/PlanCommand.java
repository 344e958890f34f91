package org.reprise.cli.command;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.reprise.analysis.Claims;
import org.reprise.analysis.RunEvents;
import org.reprise.causality.EventGraph;
import org.reprise.causality.Progress;
import org.reprise.cli.option.ChosenRun;
import org.reprise.cli.option.Format;
import org.reprise.cli.option.LearnOptions;
import org.reprise.cli.option.PeriodText;
import org.reprise.cli.report.PlanJson;
import org.reprise.cli.report.PlanText;
import org.reprise.cli.terminal.AnalysisProgress;
import org.reprise.cli.terminal.ProgressLine;
import org.reprise.cli.terminal.Session;
import org.reprise.recovery.Assessment;
import org.reprise.recovery.OnTheFly;
import org.reprise.recovery.Period;
import org.reprise.recovery.Plan;
import org.reprise.recovery.PlanComparison;
import org.reprise.recovery.Policy;
import org.reprise.recovery.Timeline;
import org.reprise.trace.UserError;
import org.reprise.trace.run.RecordedRun;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code reprise plan}: where checkpoints of a run would be, and how soon any place is reached. */
@Command(
    name = "plan",
    mixinStandardHelpOptions = true,
    description = {
      "Plans checkpoints of a run: how soon any place could be reached.",
      "Says where checkpoints would have to be taken, which messages would have to be kept with"
          + " them, and how long it would take from there to any distributed breakpoint, by three"
          + " policies. Nothing is run or stored: reprise debug takes them. A run that was recorded"
          + " without events is replayed once to learn them."
    },
    footerHeading = "%nExample:%n",
    footer = {
      "  reprise plan",
      "  reprise plan solver-3 --period 500ms",
      "  reprise plan --events 10000 --policy mrt",
      "  reprise plan --format json"
    })
public final class PlanCommand implements Callable<Integer> {
  /** Breakpoints of each kind that are tried, at most. */
  private static final int BREAKPOINTS = 100;

  /** More checkpoints of a rank than anybody could keep. */
  private static final long MARKS_MAX = 100_000;

  static final Period.OfTime TWO_SECONDS = new Period.OfTime(2_000_000_000L);

  private final Session session;

  @Spec private CommandSpec spec;

  @Mixin private ChosenRun run;

  @Mixin private LearnOptions learning;

  @ArgGroup(exclusive = true, multiplicity = "0..1")
  private Length length = new Length();

  @Option(
      names = "--policy",
      paramLabel = "POLICY",
      converter = PolicyWord.class,
      completionCandidates = PolicyWord.Words.class,
      description =
          "Plan by this policy only: ${COMPLETION-CANDIDATES}. Without it all are compared, and"
              + " the marks are those of ours.")
  private Optional<Policy> policy = Optional.empty();

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "Print N marks at most; 20 if not given.")
  private int limit = 20;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description = "How to print: ${COMPLETION-CANDIDATES}.")
  private Format format = Format.TEXT;

  /** How far checkpoints are apart: one of these. */
  static final class Length {
    @Option(
        names = "--period",
        paramLabel = "TIME",
        required = true,
        converter = PeriodText.class,
        description = "A checkpoint of each rank after this time: 300ms, 2s; 2s if not given.")
    private Optional<Period.OfTime> period = Optional.empty();

    @Option(
        names = "--events",
        paramLabel = "N",
        required = true,
        description = "A checkpoint of each rank after N of its events.")
    private Optional<Long> events = Optional.empty();
  }

  /** Policies as users write them. */
  static final class PolicyWord implements picocli.CommandLine.ITypeConverter<Policy> {
    @Override
    public Policy convert(String typed) {
      return Arrays.stream(Policy.values())
          .filter(each -> word(each).equals(typed.toLowerCase(Locale.ROOT)))
          .findFirst()
          .orElseThrow(
              () ->
                  new picocli.CommandLine.TypeConversionException(
                      "'" + typed + "' is not a policy; give ours, mrt or ros"));
    }

    private static String word(Policy policy) {
      return policy.name().toLowerCase(Locale.ROOT);
    }

    /** For help and completion. */
    static final class Words extends ArrayList<String> {
      Words() {
        super(Arrays.stream(Policy.values()).map(PolicyWord::word).toList());
      }
    }
  }

  public PlanCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    if (limit < 0) {
      throw new ParameterException(spec.commandLine(), "--limit must not be negative");
    }
    if (length.events.orElse(1L) <= 0) {
      throw new ParameterException(spec.commandLine(), "--events must be positive");
    }
    Period period =
        length
            .events
            .<Period>map(Period.OfEvents::new)
            .orElseGet(() -> length.period.orElse(TWO_SECONDS));
    RecordedRun recorded = RecordedRun.open(run.in(session));
    int learned = learning.learn(recorded, session);
    RunEvents known = session.events(recorded);
    EventGraph graph = graph(known);
    List<String> limits = Claims.of(recorded, known, graph).notes(Claims.Claim.NO_OTHER_ORDER);
    limits.forEach(session.terminal()::tell);
    PlanComparison comparison = compare(Timeline.of(graph, known.originNanos()), period);
    if (format == Format.JSON) {
      PlanJson.print(session.terminal().out(), comparison, limits);
    } else {
      new PlanText(session.terminal().out(), known, limit).print(comparison);
    }
    return learned;
  }

  private EventGraph graph(RunEvents known) {
    try (AnalysisProgress progress =
        new AnalysisProgress(session.terminal(), Progress.Pass.ORDERING)) {
      return known.graph(progress);
    }
  }

  private PlanComparison compare(Timeline timeline, Period period) {
    long marks = period.count(timeline);
    if (marks > MARKS_MAX) {
      throw new UserError(
          "the period is too short for this run",
          "%d checkpoints of each rank, where %d are the most".formatted(marks, MARKS_MAX),
          "give a longer one: --period or --events");
    }
    try (ProgressLine progress = new ProgressLine(session.terminal())) {
      List<Policy> policies = policy.map(List::of).orElse(List.of(Policy.values()));
      progress.show("choosing breakpoints");
      Assessment.Sample sample = Assessment.Sample.of(timeline, period, BREAKPOINTS);
      List<PlanComparison.Assessed> plans = new ArrayList<>();
      for (Policy each : policies) {
        progress.show("planning by " + each.name().toLowerCase(Locale.ROOT));
        Plan plan = Plan.of(timeline, period, each);
        progress.show("trying the plan by " + each.name().toLowerCase(Locale.ROOT));
        plans.add(new PlanComparison.Assessed(plan, Assessment.of(plan, sample, 0)));
      }
      progress.show("simulating MRT on the fly");
      Optional<OnTheFly> onTheFly =
          policies.contains(Policy.MRT) && period instanceof Period.OfTime time
              ? Optional.of(OnTheFly.of(timeline, time, 0))
              : Optional.empty();
      return new PlanComparison(timeline, period, plans, onTheFly);
    }
  }
}
