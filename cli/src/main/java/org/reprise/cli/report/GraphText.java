package org.reprise.cli.report;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.reprise.analysis.CriticalTimes;
import org.reprise.analysis.GraphSummary;
import org.reprise.analysis.RunEvents;
import org.reprise.causality.CausalPath;
import org.reprise.causality.CriticalPath;
import org.reprise.causality.Cut;
import org.reprise.causality.Cuts;
import org.reprise.causality.EventGraph;
import org.reprise.causality.EventTable;
import org.reprise.cli.terminal.Table;
import org.reprise.trace.text.Words;

/** What a graph answers, for people. */
public final class GraphText implements GraphPrinter {
  private final PrintWriter out;
  private final RunEvents known;
  private final EventGraph graph;
  private final EventTable events;
  private final String asFarAsKnown;
  private final int limit;

  /**
   * For people.
   *
   * @param limits why calls may be ordered that the graph does not order; empty if there is no
   *     reason
   */
  public GraphText(
      PrintWriter out, RunEvents known, EventGraph graph, List<String> limits, int limit) {
    asFarAsKnown = limits.isEmpty() ? "" : ", as far as is known";
    this.out = out;
    this.known = known;
    this.graph = graph;
    this.events = graph.events();
    this.limit = limit;
  }

  @Override
  public void summary(GraphSummary summary) {
    out.println(
        "%s, %s, %s of them collective"
            .formatted(
                Words.count(summary.ranks(), "rank"),
                Words.count(summary.events(), "event"),
                summary.collectives()));
    out.println(
        "%s, %s"
            .formatted(
                Words.count(summary.messages(), "message"),
                summary.unreceived() == 0
                    ? "all of them received"
                    : summary.unreceived() + " of them received by nobody"));
    for (int rank = 0; rank < summary.ranks() && rank < limit; rank++) {
      out.println("  rank %d: %s".formatted(rank, Words.count(events.size(rank), "event")));
    }
    if (summary.ranks() > limit) {
      out.println("  and " + Words.count(summary.ranks() - limit, "more rank"));
    }
    out.println(
        "ask with --critical-path, --past, --future, --order, --breakpoint or --cut"
            + " (reprise graph --help)");
  }

  @Override
  public void past(int event, int[] begun) {
    out.println(words(event) + " can return when these calls have begun:");
    List<String> lines = new ArrayList<>();
    List<Integer> none = new ArrayList<>();
    for (int rank = 0; rank < begun.length; rank++) {
      if (begun[rank] == 0) {
        none.add(rank);
      } else {
        lines.add(
            "rank %d: %d of %d, up to %s"
                .formatted(
                    rank,
                    begun[rank],
                    events.size(rank),
                    words(events.event(rank, begun[rank] - 1))));
      }
    }
    list(lines);
    noneOf(none);
  }

  @Override
  public void future(int event, int[] first) {
    out.println("before " + words(event) + " has begun, these calls cannot return:");
    List<String> lines = new ArrayList<>();
    List<Integer> none = new ArrayList<>();
    for (int rank = 0; rank < first.length; rank++) {
      if (first[rank] == events.size(rank)) {
        none.add(rank);
      } else {
        lines.add(
            "rank %d: %d of %d, from %s"
                .formatted(
                    rank,
                    events.size(rank) - first[rank],
                    events.size(rank),
                    words(events.event(rank, first[rank]))));
      }
    }
    list(lines);
    noneOf(none);
  }

  private void noneOf(List<Integer> ranks) {
    if (!ranks.isEmpty()) {
      out.println("  none of " + Words.ranks(ranks));
    }
  }

  @Override
  public void breakpoint(int event, Cut cut) {
    out.println("to stop after " + words(event) + " and what it depends on:");
    List<String> lines = new ArrayList<>();
    for (int rank = 0; rank < events.ranks(); rank++) {
      int begun = cut.begun(rank);
      lines.add(
          "rank "
              + rank
              + (begun == 0
                  ? " stops before its first call"
                  : (begun == cut.returned(rank) ? " stops after " : " stops inside ")
                      + words(events.event(rank, begun - 1))));
    }
    list(lines);
    out.println("as a cut: " + cut.text());
  }

  @Override
  public void order(int a, int b) {
    boolean forth = graph.precedes(a, b);
    boolean back = graph.precedes(b, a);
    if (a == b) {
      out.println("the same event: " + words(a));
    } else if (forth && back) {
      out.println("they wait for each other: neither can return before the other has begun");
      path(a, b);
      path(b, a);
    } else if (forth || back) {
      int first = forth ? a : b;
      int second = forth ? b : a;
      out.println(name(first) + " is before " + name(second) + ":");
      path(first, second);
    } else {
      out.println("concurrent: neither must have begun before the other can return" + asFarAsKnown);
      list(List.of(words(a), words(b)));
    }
  }

  private void path(int from, int to) {
    list(CausalPath.of(graph, from, to).stream().map(this::words).toList());
  }

  @Override
  public void cut(Cut cut, boolean consistent) {
    if (consistent) {
      out.println(cut.text() + " is consistent: a run can be there" + asFarAsKnown);
      out.println("messages under way: " + Cuts.underWay(graph, cut));
      return;
    }
    out.println(cut.text() + " is not consistent: no run can be there");
    list(
        Cuts.crossings(graph, cut).stream()
            .map(
                one ->
                    "%s has returned, though it waits for %s, which has not begun"
                        .formatted(words(one.returned()), words(one.awaited())))
            .toList());
    out.println("the furthest within it that is: " + Cuts.within(graph, cut).text());
  }

  @Override
  public void criticalPath(CriticalTimes times) {
    out.println(
        "critical path: %s, %d of %s, %s"
            .formatted(
                seconds(times.nanos()),
                times.calls(),
                Words.count(events.size(), "call"),
                Words.count(times.ranks(), "rank")));
    if (times.hosts() > 1) {
      out.println(
          "the ranks were on %d hosts: as far as their clocks differ, so do these times"
              .formatted(times.hosts()));
    }
    Table table = new Table(List.of(">TIME", ">SHARE", ">TIMES", "WHERE"));
    for (CriticalTimes.Share share :
        times.shares().subList(0, Math.min(limit, times.shares().size()))) {
      table.add(
          List.of(
              seconds(share.nanos()),
              String.format(
                  Locale.ROOT, "%.1f %%", 100.0 * share.nanos() / Math.max(1, times.nanos())),
              String.valueOf(share.calls()),
              share.inCalls()
                  ? known.call(events, share.event()) + known.at(events, share.event())
                  : "rank " + events.rank(share.event()) + " between its calls"));
    }
    table.lines().forEach(out::println);
    more(times.shares().size());
    List<String> handed = new ArrayList<>();
    for (int i = 0; i + 1 < times.links().size(); i++) {
      CriticalPath.Link link = times.links().get(i);
      if (link.handedOver()) {
        int waited = times.links().get(i + 1).event();
        handed.add(words(waited) + " waited for " + words(link.event()));
      }
    }
    out.println(
        "it changes ranks " + Words.count(handed.size(), "time") + (handed.isEmpty() ? "" : ":"));
    list(handed);
  }

  private static String seconds(long nanos) {
    return String.format(Locale.ROOT, "%.6f s", nanos / 1e9);
  }

  private void list(List<String> lines) {
    lines.stream().limit(limit).forEach(line -> out.println("  " + line));
    more(lines.size());
  }

  private void more(int size) {
    if (size > limit) {
      out.println("  and " + (size - limit) + " more (--limit)");
    }
  }

  private String name(int event) {
    return events.rank(event) + ":" + events.number(event);
  }

  private String words(int event) {
    return name(event) + " " + known.words(events, event);
  }
}
