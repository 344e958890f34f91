package org.reprise.cli;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.reprise.causality.Divergences;
import org.reprise.causality.EventGraph;
import org.reprise.causality.EventTable;
import org.reprise.trace.EventKind;
import org.reprise.trace.Rank;
import org.reprise.trace.RecordedRun;
import org.reprise.trace.UserError;

/**
 * Where two runs began to differ. Each rank has a first event that is another; those that no other
 * rank's difference precedes are where it began, the others follow from them.
 */
final class BeginningsOfDifference {
  private final RecordedRun run;
  private final RunEvents known;
  private final EventGraph graph;

  private BeginningsOfDifference(RecordedRun run, Session session) {
    this.run = run;
    this.known = RunEvents.of(run, session);
    this.graph = known.graph();
  }

  static void print(RecordedRun a, RecordedRun b, Session session) {
    if (a.ranks() != b.ranks()) {
      throw new UserError(
          "the events of runs with different numbers of ranks cannot be compared",
          a.ranks() + " and " + b.ranks() + " ranks",
          "leave out --events");
    }
    RunEvents.learn(a, Optional.empty(), Optional.empty(), session);
    RunEvents.learn(b, Optional.empty(), Optional.empty(), session);
    BeginningsOfDifference left = new BeginningsOfDifference(a, session);
    BeginningsOfDifference right = new BeginningsOfDifference(b, session);
    List<Divergences.Divergence> all = Divergences.between(left.graph, right.graph);
    for (Divergences.Divergence one : all) {
      if (one.original()) {
        session
            .terminal()
            .out()
            .println(
                "it began on rank %d%n  %s: %s%n  %s: %s"
                    .formatted(
                        one.rank(),
                        a.directory().name(),
                        left.words(one.rank(), one.first()),
                        b.directory().name(),
                        right.words(one.rank(), one.second())));
      }
    }
    String rest =
        all.stream()
            .filter(one -> !one.original())
            .map(one -> String.valueOf(one.rank()))
            .collect(Collectors.joining(", "));
    if (!rest.isEmpty()) {
      session.terminal().out().println("what differs on ranks " + rest + " follows from that");
    }
  }

  private String words(int rank, int event) {
    if (event == EventTable.NONE) {
      return "nothing more";
    }
    EventTable events = graph.events();
    EventKind kind = events.kind(event);
    String peer =
        events.peer(event) < 0 ? "" : (kind.isSend() ? " to " : " from ") + events.peer(event);
    return "event %d, MPI_%s%s%s"
        .formatted(
            events.number(event),
            EventText.callName(run.description().callNames(), events.call(event)),
            peer,
            known.stack(new Rank(rank), events.site(event)).stream()
                .findFirst()
                .map(place -> ", at " + place.text())
                .orElse(""));
  }
}
