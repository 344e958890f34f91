package org.reprise.cli.report;

import java.io.PrintWriter;
import java.util.List;
import org.reprise.cli.terminal.Json;
import org.reprise.recovery.Assessment;
import org.reprise.recovery.LoggingRule;
import org.reprise.recovery.Marks;
import org.reprise.recovery.MessageLog;
import org.reprise.recovery.OnTheFly;
import org.reprise.recovery.Period;
import org.reprise.recovery.Plan;
import org.reprise.recovery.PlanComparison;
import org.reprise.recovery.Timeline;
import org.reprise.recovery.VirtualCheckpoint;
import org.reprise.trace.text.Words;
import tools.jackson.core.JsonGenerator;

/** Plans of checkpoints, for scripts. */
public final class PlanJson {
  private PlanJson() {}

  public static void print(PrintWriter out, PlanComparison comparison, List<String> limits) {
    Json.print(
        out,
        json -> {
          json.writeStartObject();
          Json.strings(json, "limits", limits);
          run(json, comparison);
          json.writeArrayPropertyStart("plans");
          comparison.plans().forEach(each -> plan(json, each));
          json.writeEndArray();
          comparison.onTheFly().ifPresent(one -> onTheFly(json, one));
          checkpoints(json, comparison.plans().getFirst().plan().marks());
          json.writeEndObject();
        });
  }

  private static void run(JsonGenerator json, PlanComparison comparison) {
    Timeline timeline = comparison.timeline();
    json.writeNumberProperty("ranks", timeline.ranks());
    json.writeNumberProperty("events", timeline.events().size());
    json.writeNumberProperty("nanos", timeline.durationNanos());
    json.writeNumberProperty("messages", timeline.graph().pairing().messages());
    json.writeObjectPropertyStart("period");
    json.writeNumberProperty(
        comparison.period() instanceof Period.OfTime ? "nanos" : "events",
        comparison.period().length());
    json.writeEndObject();
    Timeline.Stretch stretch = timeline.longestStretch();
    json.writeObjectPropertyStart("longestStretch");
    json.writeNumberProperty("nanos", stretch.nanos());
    json.writeNumberProperty("rank", stretch.rank());
    json.writeNumberProperty("number", stretch.position());
    json.writeEndObject();
    json.writeNumberProperty("driftNanos", timeline.driftNanos());
  }

  private static void plan(JsonGenerator json, PlanComparison.Assessed each) {
    Plan plan = each.plan();
    MessageLog log = plan.log();
    json.writeStartObject();
    json.writeStringProperty("policy", Words.word(plan.policy()));
    json.writeNumberProperty("marks", plan.marks().count());
    json.writeNumberProperty("forced", plan.marks().count(VirtualCheckpoint.Cause.FORCED));
    json.writeNumberProperty("logged", log.messages());
    json.writeNumberProperty("share", log.share());
    json.writeNumberProperty("bytes", log.bytes());
    json.writeNumberProperty("results", log.results());
    json.writeNumberProperty("collectives", log.collectives());
    json.writeNumberProperty("resultBytes", log.resultBytes());
    json.writeObjectPropertyStart("byRule");
    for (LoggingRule rule : LoggingRule.values()) {
      json.writeNumberProperty(Words.word(rule), log.by(rule));
    }
    json.writeEndObject();
    json.writeNumberProperty("longestNanos", plan.marks().longestNanos());
    json.writeNumberProperty("spreadNanos", plan.marks().spreadNanos());
    if (plan.boundNanos().isPresent()) {
      json.writeNumberProperty("boundNanos", plan.boundNanos().getAsLong());
    }
    Assessment assessment = each.assessment();
    json.writeNumberProperty("breakpoints", assessment.breakpoints());
    json.writeNumberProperty("meanNanos", Math.round(assessment.meanNanos()));
    json.writeNumberProperty("worstNanos", assessment.worstNanos());
    json.writeNumberProperty("steps", assessment.steps());
    times(json, "causal", assessment.causal());
    times(json, "latest", assessment.latest());
    times(json, "instant", assessment.instant());
    json.writeEndObject();
  }

  private static void times(JsonGenerator json, String name, Assessment.Times times) {
    json.writeObjectPropertyStart(name);
    json.writeNumberProperty("breakpoints", times.breakpoints());
    json.writeNumberProperty("meanNanos", Math.round(times.meanNanos()));
    json.writeNumberProperty("worstNanos", times.worstNanos());
    json.writeNumberProperty("steps", times.steps());
    json.writeEndObject();
  }

  private static void onTheFly(JsonGenerator json, OnTheFly one) {
    json.writeObjectPropertyStart("onTheFly");
    json.writeNumberProperty("marks", one.count());
    json.writeNumberProperty("logged", one.messages());
    json.writeNumberProperty("share", one.share());
    json.writeNumberProperty("bytes", one.bytes());
    json.writeNumberProperty("results", one.results());
    json.writeNumberProperty("coordinationNanosMean", Math.round(one.coordinationNanosMean()));
    json.writeNumberProperty("coordinationNanosMax", one.coordinationNanosMax());
    json.writeNumberProperty("storageBytesMax", one.storageBytesMax());
    json.writeEndObject();
  }

  private static void checkpoints(JsonGenerator json, Marks marks) {
    json.writeArrayPropertyStart("checkpoints");
    for (int rank = 0; rank < marks.timeline().ranks(); rank++) {
      for (int number = 0; number < marks.count(rank); number++) {
        VirtualCheckpoint mark = marks.get(rank, number);
        json.writeStartObject();
        json.writeNumberProperty("rank", rank);
        json.writeNumberProperty("index", mark.index());
        json.writeNumberProperty("number", mark.position());
        json.writeStringProperty("cause", Words.word(mark.cause()));
        json.writeEndObject();
      }
    }
    json.writeEndArray();
  }
}
