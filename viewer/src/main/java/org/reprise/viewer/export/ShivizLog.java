package org.reprise.viewer.export;

import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import org.reprise.causality.EventGraph;
import org.reprise.causality.EventTable;
import org.reprise.viewer.ViewedRun;

/**
 * A run as a log for ShiViz (bestchai.bitbucket.io/shiviz), whose default parser reads it: two
 * lines an event, first what happened, then the host and its vector clock. A call is a point there.
 * One that others wait for and that itself waits, as those of a barrier do, becomes two: it begins,
 * and it returns.
 */
final class ShivizLog {
  private final ViewedRun run;
  private final EventGraph graph;
  private final EventTable events;
  private final PrintWriter out;

  /** Calls that the return of a call of another rank waited for. */
  private final BitSet awaited;

  private ShivizLog(ViewedRun run, PrintWriter out) {
    this.run = run;
    this.out = out;
    graph = run.graph();
    events = graph.events();
    awaited = new BitSet(events.size());
  }

  static void write(ViewedRun run, OutputStream out) {
    PrintWriter text = new PrintWriter(out, false, StandardCharsets.UTF_8);
    new ShivizLog(run, text).print();
    text.flush();
  }

  private void print() {
    for (int event = 0; event < events.size(); event++) {
      if (graph.contains(event)) {
        for (int source : graph.awaited(event)) {
          awaited.set(source);
        }
      }
    }
    int[][] clocks = new int[events.ranks()][events.ranks()];
    int[] next = new int[events.ranks()];
    boolean[] inside = new boolean[events.ranks()];
    int[][] atBegin = new int[events.size()][];
    boolean moved = true;
    while (moved) {
      moved = false;
      for (int rank = 0; rank < events.ranks(); rank++) {
        while (next[rank] < graph.size(rank)) {
          int event = events.event(rank, next[rank]);
          if (isTwo(event) && !inside[rank]) {
            line(event, "begins ", clocks[rank], rank);
            atBegin[event] = clocks[rank].clone();
            inside[rank] = true;
            moved = true;
          }
          if (!isReady(event, atBegin)) {
            break;
          }
          for (int source : graph.awaited(event)) {
            merge(clocks[rank], atBegin[source]);
          }
          line(event, inside[rank] ? "returns " : "", clocks[rank], rank);
          if (atBegin[event] == null && awaited.get(event)) {
            atBegin[event] = clocks[rank].clone();
          }
          inside[rank] = false;
          next[rank]++;
          moved = true;
        }
      }
    }
  }

  private boolean isTwo(int event) {
    return awaited.get(event) && graph.awaited(event).length > 0;
  }

  private boolean isReady(int event, int[][] atBegin) {
    for (int source : graph.awaited(event)) {
      if (atBegin[source] == null) {
        return false;
      }
    }
    return true;
  }

  private static void merge(int[] into, int[] from) {
    for (int rank = 0; rank < into.length; rank++) {
      into[rank] = Math.max(into[rank], from[rank]);
    }
  }

  private void line(int event, String what, int[] clock, int rank) {
    clock[rank]++;
    out.print(what + run.call(event));
    if (events.peer(event) >= 0) {
      out.print((events.kind(event).isSend() ? " to " : " with ") + events.peer(event));
    }
    if (events.tag(event) >= 0) {
      out.print(" tag " + events.tag(event));
    }
    if (run.races().contains(event)) {
      out.print(" (racing)");
    }
    out.println(" " + rank + ":" + events.number(event));
    out.print("rank" + rank + " {");
    String sign = "";
    for (int other = 0; other < clock.length; other++) {
      if (clock[other] > 0) {
        out.print(sign + "\"rank" + other + "\": " + clock[other]);
        sign = ", ";
      }
    }
    out.println("}");
  }
}
