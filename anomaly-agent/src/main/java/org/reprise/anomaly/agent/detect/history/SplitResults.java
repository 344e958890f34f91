package org.reprise.anomaly.agent.detect.history;

import java.util.List;
import org.reprise.anomaly.agent.instrument.loop.Reductions;
import org.reprise.anomaly.agent.instrument.program.Site;
import org.reprise.anomaly.agent.report.Findings;
import org.reprise.anomaly.report.Conflict;
import org.reprise.anomaly.report.Lineage;
import org.reprise.anomaly.report.Obstacle;

/** Results of parallel streams that depend on how the stream is split. */
public final class SplitResults {
  private SplitResults() {}

  /** A parallel stream is about to end at a site that {@link Reductions} has something against. */
  public static void add(Site site, Lineage block, Findings findings) {
    switch (Reductions.Fault.valueOf(site.call().substring(site.call().indexOf(':') + 1))) {
      case ROUNDING ->
          findings.add(
              new Obstacle(
                  site.variable()
                      + ", a sum of floating-point numbers in parallel, which depends on the worker"
                      + " count",
                  site.place()));
      case ANY ->
          findings.add(
              new Obstacle(
                  site.variable() + " of a parallel stream, whichever is found first",
                  site.place()));
      case NOT_ASSOCIATIVE -> findings.add(misuse(Conflict.Kind.NOT_ASSOCIATIVE, site, block));
      case NOT_AN_IDENTITY -> findings.add(misuse(Conflict.Kind.NOT_AN_IDENTITY, site, block));
    }
  }

  private static Conflict misuse(Conflict.Kind kind, Site site, Lineage block) {
    Conflict.End end = site.end(block, List.of(), List.of());
    String what = site.variable();
    return new Conflict(Conflict.Type.MISUSE, kind, what, what, what, false, end, end);
  }
}
