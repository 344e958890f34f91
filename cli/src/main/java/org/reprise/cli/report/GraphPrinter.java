package org.reprise.cli.report;

import org.reprise.analysis.CriticalTimes;
import org.reprise.analysis.GraphSummary;
import org.reprise.causality.Cut;

/** How the answers of {@code reprise graph} are printed. */
public interface GraphPrinter {
  /**
   * @param begun for each rank, how many of its calls must have begun before the event can return
   */
  void past(int event, int[] begun);

  /**
   * @param first for each rank, its first call that cannot return before the event has begun
   */
  void future(int event, int[] first);

  void breakpoint(int event, Cut cut);

  void order(int a, int b);

  void cut(Cut cut, boolean consistent);

  void criticalPath(CriticalTimes times);

  void summary(GraphSummary summary);
}
