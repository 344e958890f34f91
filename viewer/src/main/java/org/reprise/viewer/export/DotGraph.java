package org.reprise.viewer.export;

import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.reprise.causality.EventTable;
import org.reprise.causality.Pairing;
import org.reprise.causality.races.OtherMessages;
import org.reprise.viewer.ViewedRun;
import org.reprise.viewer.picture.RunPicture;

/**
 * A run as a graph for Graphviz: ranks from left to right, calls downwards, messages as edges.
 * Racing receives are marked, and what they could have got instead is dashed.
 */
final class DotGraph {
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
    out.println("  rankdir=TB; ordering=out; newrank=true;");
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
            "  %s -> %s [color=\"#1f5a8c\", constraint=true, label=%s];"
                .formatted(
                    node(send), node(arrival), quoted(tag(send) + events.bytes(send) + " B")));
      }
    }
    collectives();
    run.races().receives().forEach(this::alternatives);
    out.println("}");
  }

  private void rank(int rank) {
    out.println("  subgraph " + quoted("cluster" + rank) + " {");
    out.println(
        "    label=" + quoted("rank " + rank) + "; color=\"#dbe1e7\"; fontname=\"sans-serif\";");
    String before = "";
    for (int e = events.first(rank); e < events.first(rank + 1); e++) {
      String racing =
          run.races().contains(e) ? ", color=\"#d55e00\", penwidth=2, peripheries=2" : "";
      out.println(
          "    %s [label=%s%s];".formatted(node(e), quoted(run.call(e) + " " + name(e)), racing));
      if (!before.isEmpty()) {
        out.println("    %s -> %s [color=\"#b4c0cc\", weight=10];".formatted(before, node(e)));
      }
      before = node(e);
    }
    out.println("  }");
  }

  private void collectives() {
    for (int e = 0; e < events.size(); e++) {
      int[] members = run.graph().collective(e);
      if (members.length > 1 && members[0] == e) {
        out.print("  { rank=same;");
        for (int member : members) {
          out.print(" " + node(member) + ";");
        }
        out.println(" }");
      }
    }
  }

  private void alternatives(int receive) {
    int completion = run.graph().completion(receive);
    int at = completion == EventTable.NONE ? receive : completion;
    for (int send :
        picture.alternatives().of(receive).map(OtherMessages.Choice::sends).orElseGet(List::of)) {
      out.println(
          "  %s -> %s [style=dashed, color=\"#d55e00\", constraint=false];"
              .formatted(node(send), node(at)));
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
