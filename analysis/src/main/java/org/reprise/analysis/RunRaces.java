package org.reprise.analysis;

import java.util.List;
import org.reprise.causality.EventGraph;
import org.reprise.causality.Progress;
import org.reprise.causality.races.Races;
import org.reprise.causality.races.RacingSite;
import org.reprise.causality.races.RacingSites;
import org.reprise.findings.Report;
import org.reprise.findings.Suppressions;
import org.reprise.trace.run.RecordedRun;

/**
 * The races of a run: receives and probes that could have got another message, grouped by their
 * call sites.
 *
 * @param events with their places in the source
 * @param graph what had to happen before what
 * @param controlSet the receives that race, or that a replay must force because others do
 * @param claims what may be said about other runs
 */
public record RunRaces(
    RecordedRun run, RunEvents events, EventGraph graph, Races controlSet, Claims claims) {

  /** Reads the events of a run and finds its races. */
  public static RunRaces of(RecordedRun run, RunEvents events, Progress progress) {
    EventGraph graph = events.graph(progress);
    return new RunRaces(
        run, events, graph, events.controlSet(graph), Claims.of(run, events, graph));
  }

  /** By call site, so that a loop over a receive is one entry; each with an example. */
  public List<RacingSite> sites() {
    return RacingSites.of(graph, controlSet, events);
  }

  /** The same in words and with source lines, without what is intended. */
  public Report report(Suppressions intended) {
    return new RaceReport(this).of(sites(), intended);
  }
}
