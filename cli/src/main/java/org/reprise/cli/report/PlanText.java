package org.reprise.cli.report;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.reprise.analysis.RunEvents;
import org.reprise.causality.EventTable;
import org.reprise.cli.option.PeriodText;
import org.reprise.cli.terminal.Table;
import org.reprise.recovery.Assessment;
import org.reprise.recovery.Marks;
import org.reprise.recovery.MessageLog;
import org.reprise.recovery.OnTheFly;
import org.reprise.recovery.Period;
import org.reprise.recovery.Plan;
import org.reprise.recovery.PlanComparison;
import org.reprise.recovery.Policy;
import org.reprise.recovery.Timeline;
import org.reprise.recovery.VirtualCheckpoint;
import org.reprise.trace.text.Words;

/** Plans of checkpoints, for people. */
public final class PlanText {
  private final PrintWriter out;
  private final RunEvents known;
  private final int limit;

  public PlanText(PrintWriter out, RunEvents known, int limit) {
    this.out = out;
    this.known = known;
    this.limit = limit;
  }

  public void print(PlanComparison comparison) {
    run(comparison.timeline(), comparison.period(), comparison.plans().getFirst());
    table(comparison);
    PlanComparison.Assessed first = comparison.plans().getFirst();
    kinds(first);
    bound(first.plan());
    marks(first.plan());
  }

  private void run(Timeline timeline, Period period, PlanComparison.Assessed any) {
    MessageLog log = any.plan().log();
    out.println(
        "%s, %s, %s%s"
            .formatted(
                Words.count(timeline.ranks(), "rank"),
                PeriodText.of(timeline.durationNanos()),
                Words.count(log.sent(), "message"),
                log.collectives() == 0
                    ? ""
                    : ", " + Words.count(log.collectives(), "result") + " of collectives"));
    String length =
        switch (period) {
          case Period.OfTime(long nanos) -> PeriodText.of(nanos);
          case Period.OfEvents(long count) -> Words.count(count, "event");
        };
    Timeline.Stretch stretch = timeline.longestStretch();
    out.println(
        "a checkpoint of each rank every "
            + length
            + "; the longest stretch without a call is "
            + PeriodText.of(stretch.nanos())
            + (stretch.nanos() == 0
                ? ""
                : ", before "
                    + words(
                        timeline.events(),
                        timeline.events().event(stretch.rank(), stretch.position()))));
    if (any.plan().marks().count() == timeline.ranks()) {
      out.println("the run is over before the first one: take a shorter period");
    }
  }

  private String words(EventTable events, int event) {
    return "%d:%d %s"
        .formatted(events.rank(event), events.number(event), known.words(events, event));
  }

  private void table(PlanComparison comparison) {
    Table table =
        new Table(
            List.of(
                "POLICY",
                ">MARKS",
                ">FORCED",
                ">LOGGED",
                ">SHARE",
                ">BYTES",
                ">RESULTS",
                ">MEAN",
                ">WORST",
                ">BOUND"));
    for (PlanComparison.Assessed each : comparison.plans()) {
      Plan plan = each.plan();
      table.add(
          List.of(
              word(plan.policy()),
              String.valueOf(plan.marks().count()),
              String.valueOf(plan.marks().count(VirtualCheckpoint.Cause.FORCED)),
              String.valueOf(plan.log().messages()),
              percent(plan.log().share()),
              Words.bytes(plan.log().bytes()),
              String.valueOf(plan.log().results()),
              PeriodText.of(Math.round(each.assessment().meanNanos())),
              PeriodText.of(each.assessment().worstNanos()),
              plan.boundNanos().stream().mapToObj(PeriodText::of).findFirst().orElse("none")));
    }
    comparison
        .onTheFly()
        .ifPresent(
            one ->
                table.add(
                    List.of(
                        "mrt, on the fly",
                        String.valueOf(one.count()),
                        "",
                        String.valueOf(one.messages()),
                        percent(one.share()),
                        Words.bytes(one.bytes()),
                        String.valueOf(one.results()),
                        "",
                        "",
                        "")));
    table.lines().forEach(out::println);
    comparison.onTheFly().ifPresent(this::coordination);
  }

  private void coordination(OnTheFly one) {
    out.println(
        "on the fly a rank would have waited %s for others at its marks, %s at most, and %s would have been in temporary storage"
            .formatted(
                PeriodText.of(Math.round(one.coordinationNanosMean())),
                PeriodText.of(one.coordinationNanosMax()),
                Words.bytes(one.storageBytesMax())));
  }

  private void kinds(PlanComparison.Assessed each) {
    Assessment times = each.assessment();
    out.println(
        "breakpoints tried by %s, mean and worst: %s; %s; %s"
            .formatted(
                word(each.plan().policy()),
                kind(times.causal(), "causal"),
                kind(times.latest(), "latest"),
                kind(times.instant(), "at one moment")));
  }

  private static String kind(Assessment.Times times, String kind) {
    return "%d %s, %s and %s"
        .formatted(
            times.breakpoints(),
            kind,
            PeriodText.of(Math.round(times.meanNanos())),
            PeriodText.of(times.worstNanos()));
  }

  private void bound(Plan plan) {
    String longest =
        "T, the longest interval with its waits, is " + PeriodText.of(plan.marks().longestNanos());
    String spread =
        "D, how far the marks of one index are apart, is "
            + PeriodText.of(plan.marks().spreadNanos());
    out.println(
        switch (plan.policy()) {
          case OURS ->
              "any consistent breakpoint is reached in 2 T + D: " + longest + "; " + spread;
          case MRT -> "any consistent breakpoint is reached in 2 T: " + longest;
          case ROS ->
              "there is no bound, as ranks may have to go back more than one mark: " + longest;
        });
    if (plan.boundNanos().isPresent()) {
      out.println(
          "  if a replay computes no slower than the run, and messages take no longer in it");
    }
    if (plan.policy() == Policy.OURS && plan.marks().timeline().driftNanos() > 0) {
      out.println(
          "  clocks of ranks drifted by %s, which is counted as a part of D"
              .formatted(PeriodText.of(plan.marks().timeline().driftNanos())));
    }
  }

  private void marks(Plan plan) {
    Marks marks = plan.marks();
    int last = marks.lastIndex();
    if (last > 0 && limit > 0) {
      out.println("marks by %s, as calls of each rank before them:".formatted(word(plan.policy())));
    }
    for (int index = 1; index <= last && index <= limit; index++) {
      int each = index;
      String positions =
          IntStream.range(0, marks.timeline().ranks())
              .mapToObj(
                  rank -> {
                    int number = marks.withIndex(rank, each);
                    return number < 0 ? "-" : String.valueOf(marks.position(rank, number));
                  })
              .collect(Collectors.joining(","));
      out.println("  %d: %s".formatted(index, positions));
    }
    if (last > limit && limit > 0) {
      out.println("  and " + (last - limit) + " more (--limit)");
    }
  }

  private static String word(Policy policy) {
    return policy.name().toLowerCase(Locale.ROOT);
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.2f %%", 100 * share);
  }
}
