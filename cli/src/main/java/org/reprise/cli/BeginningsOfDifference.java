package org.reprise.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import org.reprise.causality.Divergences;
import org.reprise.causality.EventGraph;
import org.reprise.causality.EventTable;
import org.reprise.trace.EventKind;
import org.reprise.trace.RecordedRun;
import org.reprise.trace.UserError;

/**
 * Where two runs began to differ. Each rank has a first event that is another; those that no other
 * rank's difference precedes are where it began, the others follow from them.
 */
final class BeginningsOfDifference {
  /** So many ranks on which a difference only followed are shown. */
  private static final int SHOWN = 4;

  private final RecordedRun run;
  private final RunEvents known;
  private final EventGraph graph;

  private BeginningsOfDifference(RecordedRun run, Session session) {
    this.run = run;
    this.known = RunEvents.of(run, session);
    this.graph = known.graph();
  }

  static void print(RecordedRun a, RecordedRun b, boolean polls, Session session) {
    if (a.ranks() != b.ranks()) {
      throw new UserError(
          "the events of runs with different numbers of ranks cannot be compared",
          Words.count(a.ranks(), "rank") + " and " + Words.count(b.ranks(), "rank"),
          "leave out --events");
    }
    RunEvents.learn(a, Optional.empty(), Optional.empty(), session);
    RunEvents.learn(b, Optional.empty(), Optional.empty(), session);
    BeginningsOfDifference left = new BeginningsOfDifference(a, session);
    BeginningsOfDifference right = new BeginningsOfDifference(b, session);
    List<Divergences.Divergence> all = Divergences.between(left.graph, right.graph, polls);
    PrintWriter out = session.terminal().out();
    for (Divergences.Divergence one : all) {
      if (one.original()) {
        out.println("it began on rank " + one.rank());
        print(one, left, right, out);
      }
    }
    List<Divergences.Divergence> rest = all.stream().filter(one -> !one.original()).toList();
    for (Divergences.Divergence one : rest.subList(0, Math.min(SHOWN, rest.size()))) {
      out.println("what differs on rank " + one.rank() + " follows from that");
      print(one, left, right, out);
    }
    if (rest.size() > SHOWN) {
      out.println("so it does on " + Words.count(rest.size() - SHOWN, "more rank"));
    }
  }

  private static void print(
      Divergences.Divergence one,
      BeginningsOfDifference left,
      BeginningsOfDifference right,
      PrintWriter out) {
    out.println("  " + left.run.directory().name() + ": " + left.words(one.first()));
    out.println("  " + right.run.directory().name() + ": " + right.words(one.second()));
  }

  private String words(int event) {
    if (event == EventTable.NONE) {
      return "nothing more";
    }
    EventTable events = graph.events();
    if (events.kind(event) == EventKind.POLLS) {
      return Words.count(Divergences.failedPolls(events, event), "failed poll");
    }
    return "event " + events.number(event) + ", " + known.words(events, event);
  }
}
