package org.reprise.viewer.export;

import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.reprise.causality.EventTable;
import org.reprise.causality.Pairing;
import org.reprise.causality.races.OtherMessages;
import org.reprise.viewer.ViewedRun;
import org.reprise.viewer.picture.Axis;
import org.reprise.viewer.picture.RunPicture;

/**
 * A run as a graph for Graphviz: ranks from left to right, calls downwards, messages as edges.
 * Racing receives are marked, and what they could have got instead is dashed.
 */
final class DotGraph {
  /** Between lanes, and between steps of logical order, in points. */
  private static final int COLUMN = 170;

  private static final int ROW = 34;

  private final RunPicture picture;
  private final ViewedRun run;
  private final EventTable events;
  private final PrintWriter out;

  private DotGraph(RunPicture picture, PrintWriter out) {
    this.picture = picture;
    this.out = out;
    run = picture.run();
    events = run.graph().events();
  }

  static void write(RunPicture picture, OutputStream out) {
    PrintWriter text = new PrintWriter(out, false, StandardCharsets.UTF_8);
    new DotGraph(picture, text).print();
    text.flush();
  }

  private void print() {
    out.println("digraph " + quoted(run.name()) + " {");
    // Placed as in logical order: Graphviz's own layout takes minutes for a thousand calls.
    out.println("  layout=nop2; splines=line;");
    out.println("  node [shape=box, fontname=\"sans-serif\", fontsize=10, height=0.2];");
    out.println("  edge [fontname=\"sans-serif\", fontsize=9, arrowsize=0.6];");
    for (int rank = 0; rank < events.ranks(); rank++) {
      rank(rank);
    }
    Pairing pairing = run.graph().pairing();
    for (int message = 0; message < pairing.messages(); message++) {
      int arrival = TimedCall.arrival(run, message);
      int send = pairing.send(message);
      if (arrival >= 0) {
        out.println(
            "  %s -> %s [color=\"#1f5a8c\", label=%s];"
                .formatted(
                    node(send), node(arrival), quoted(tag(send) + events.bytes(send) + " B")));
      }
    }
    collectives();
    run.races().receives().forEach(this::alternatives);
    out.println("}");
  }

  private void rank(int rank) {
    Axis axis = picture.axis(Axis.Kind.ORDER);
    out.println(
        "  %s [shape=plaintext, fontsize=12, pos=\"%d,%d\", label=%s];"
            .formatted(quoted("rank" + rank), rank * COLUMN, ROW, quoted("rank " + rank)));
    String before = "";
    long reached = -1;
    for (int e = events.first(rank); e < events.first(rank + 1); e++) {
      String racing =
          run.races().contains(e) ? ", color=\"#d55e00\", penwidth=2, peripheries=2" : "";
      reached = Math.max(reached + 1, axis.start(rank, e));
      out.println(
          "  %s [pos=\"%d,%d\", label=%s%s];"
              .formatted(
                  node(e),
                  rank * COLUMN,
                  -reached * ROW,
                  quoted(run.call(e) + " " + name(e)),
                  racing));
      if (!before.isEmpty()) {
        out.println("  %s -> %s [color=\"#b4c0cc\"];".formatted(before, node(e)));
      }
      before = node(e);
    }
  }

  /** A line from member to member. */
  private void collectives() {
    for (int e = 0; e < events.size(); e++) {
      int[] members = run.graph().collective(e);
      if (members.length > 1 && members[0] == e) {
        for (int i = 1; i < members.length; i++) {
          out.println(
              "  %s -> %s [dir=none, penwidth=4, color=\"#7fb2dc80\"];"
                  .formatted(node(members[i - 1]), node(members[i])));
        }
      }
    }
  }

  private void alternatives(int receive) {
    int completion = run.graph().completion(receive);
    int at = completion == EventTable.NONE ? receive : completion;
    for (int send :
        picture.alternatives().of(receive).map(OtherMessages.Choice::sends).orElseGet(List::of)) {
      out.println("  %s -> %s [style=dashed, color=\"#d55e00\"];".formatted(node(send), node(at)));
    }
  }

  private String tag(int event) {
    return events.tag(event) < 0 ? "" : "tag " + events.tag(event) + ", ";
  }

  private String name(int event) {
    return events.rank(event) + ":" + events.number(event);
  }

  private String node(int event) {
    return quoted(name(event));
  }

  private static String quoted(String text) {
    return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
  }
}
