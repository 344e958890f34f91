package org.reprise.cli.report;

import java.io.PrintWriter;
import java.util.List;
import org.reprise.analysis.RunEvents;
import org.reprise.causality.Divergences;
import org.reprise.causality.EventGraph;
import org.reprise.causality.EventTable;
import org.reprise.causality.Progress;
import org.reprise.cli.option.LearnOptions;
import org.reprise.cli.terminal.Session;
import org.reprise.launch.EventLearner;
import org.reprise.trace.UserError;
import org.reprise.trace.events.EventKind;
import org.reprise.trace.run.RecordedRun;
import org.reprise.trace.text.Words;
import tools.jackson.core.JsonGenerator;

/**
 * Where two runs began to differ. Each rank has a first event that is another; those that no other
 * rank's difference precedes are where it began, the others follow from them.
 */
public final class BeginningsOfDifference {
  /** So many ranks on which a difference only followed are shown. */
  private static final int SHOWN = 4;

  private final Side left;
  private final Side right;
  private final List<Divergences.Divergence> all;

  private BeginningsOfDifference(Side left, Side right, boolean polls) {
    this.left = left;
    this.right = right;
    this.all = Divergences.between(left.graph, right.graph, polls);
  }

  /** Learns the events of both runs where they are not known. */
  public static BeginningsOfDifference between(
      RecordedRun a, RecordedRun b, boolean polls, LearnOptions learning, Session session) {
    if (a.ranks() != b.ranks()) {
      throw new UserError(
          "the events of runs with different numbers of ranks cannot be compared",
          Words.count(a.ranks(), "rank") + " and " + Words.count(b.ranks(), "rank"),
          "leave out --events");
    }
    learn(a, learning, session);
    learn(b, learning, session);
    return new BeginningsOfDifference(Side.of(a, session), Side.of(b, session), polls);
  }

  public void print(PrintWriter out) {
    for (Divergences.Divergence one : all) {
      if (one.original()) {
        out.println("it began on rank " + one.rank());
        print(one, out);
      }
    }
    List<Divergences.Divergence> rest = all.stream().filter(one -> !one.original()).toList();
    for (Divergences.Divergence one : rest.subList(0, Math.min(SHOWN, rest.size()))) {
      out.println("what differs on rank " + one.rank() + " follows from that");
      print(one, out);
    }
    if (rest.size() > SHOWN) {
      out.println("so it does on " + Words.count(rest.size() - SHOWN, "more rank"));
    }
  }

  /** Where events are missing, a run would seem to differ. */
  private static void learn(RecordedRun run, LearnOptions learning, Session session) {
    if (learning.learn(run, session) != 0 && !EventLearner.knows(run)) {
      throw new UserError(
          "the events of " + run.directory().name() + " cannot be compared",
          "its replay left the recorded order, so they are not known to the end",
          "replay it where it was recorded, with the same program and input, or leave out --events");
    }
  }

  private void print(Divergences.Divergence one, PrintWriter out) {
    out.println("  " + left.run.directory().name() + ": " + left.words(one.first()));
    out.println("  " + right.run.directory().name() + ": " + right.words(one.second()));
  }

  /** An array with an object for each rank that differs. */
  public void write(JsonGenerator json, String name) {
    json.writeArrayPropertyStart(name);
    for (Divergences.Divergence one : all) {
      json.writeStartObject();
      json.writeNumberProperty("rank", one.rank());
      json.writeBooleanProperty("original", one.original());
      left.write(json, "a", one.first());
      right.write(json, "b", one.second());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  /** One of the two runs. */
  private record Side(RecordedRun run, RunEvents known, EventGraph graph) {
    static Side of(RecordedRun run, Session session) {
      RunEvents known = session.events(run);
      return new Side(run, known, known.graph(Progress.NONE));
    }

    String words(int event) {
      if (event == EventTable.NONE) {
        return "nothing more";
      }
      EventTable events = graph.events();
      if (events.kind(event) == EventKind.POLLS) {
        return Words.count(Divergences.failedPolls(events, event), "failed poll");
      }
      return "event " + events.number(event) + ", " + known.words(events, event);
    }

    void write(JsonGenerator json, String name, int event) {
      if (event == EventTable.NONE) {
        return;
      }
      EventTable events = graph.events();
      json.writeObjectPropertyStart(name);
      json.writeNumberProperty("event", events.number(event));
      json.writeStringProperty("words", words(event));
      json.writeStringProperty("call", known.call(events, event));
      json.writeArrayPropertyStart("stack");
      known.stack(events, event).places().forEach(place -> place.write(json));
      json.writeEndArray();
      json.writeEndObject();
    }
  }
}
