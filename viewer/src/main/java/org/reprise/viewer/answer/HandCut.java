package org.reprise.viewer.answer;

import java.util.List;
import java.util.stream.IntStream;
import org.reprise.causality.Cut;
import org.reprise.causality.Cuts;
import org.reprise.causality.EventGraph;
import org.reprise.causality.EventTable;
import org.reprise.viewer.picture.Axis;
import org.reprise.viewer.picture.LaneIndex;
import org.reprise.viewer.picture.RunPicture;
import tools.jackson.core.JsonGenerator;

/**
 * A cut that somebody drew through the picture: whether a run can be there, if not what crosses it
 * the wrong way, and the nearest cuts within it and around it at which a run can be.
 */
final class HandCut {
  /** Calls that cross it, named one by one. */
  private static final int CROSSINGS_SHOWN = 5;

  private final RunPicture picture;
  private final EventDetails details;
  private final EventGraph graph;
  private final EventTable events;

  HandCut(RunPicture picture, EventDetails details) {
    this.picture = picture;
    this.details = details;
    graph = picture.run().graph();
    events = graph.events();
  }

  /** Answers for the cut that is named, or for the moments of an axis that a line goes through. */
  void write(JsonGenerator json, Query asked) {
    Cut cut =
        asked.has("cut")
            ? Cut.parse(asked.text("cut"))
                .filter(this::isOfThisRun)
                .orElseThrow(() -> new IllegalArgumentException("not a cut of this run"))
            : through(asked.axis(), asked.text("at"));
    boolean consistent = graph.isConsistent(cut);
    json.writeStartObject();
    json.writeBooleanProperty("consistent", consistent);
    write(json, "cut", cut);
    if (consistent) {
      json.writeNumberProperty("underWay", Cuts.underWay(graph, cut));
    } else {
      List<Cuts.Crossing> crossings = Cuts.crossings(graph, cut);
      json.writeNumberProperty("crossingCount", crossings.size());
      json.writeArrayPropertyStart("crossings");
      for (Cuts.Crossing crossing :
          crossings.subList(0, Math.min(CROSSINGS_SHOWN, crossings.size()))) {
        json.writeStartObject();
        json.writeName("awaited");
        details.summary(json, crossing.awaited());
        json.writeName("returned");
        details.summary(json, crossing.returned());
        json.writeEndObject();
      }
      json.writeEndArray();
      write(json, "within", Cuts.within(graph, cut));
      write(json, "around", Cuts.around(graph, cut));
    }
    json.writeEndObject();
  }

  private boolean isOfThisRun(Cut cut) {
    return cut.moments().length == events.ranks()
        && IntStream.range(0, events.ranks())
            .allMatch(rank -> cut.begun(rank) <= events.size(rank));
  }

  /**
   * The cut at these moments.
   *
   * @param moments {@code RANK:MOMENT}, separated by commas; ranks that are left out are where the
   *     one before them is
   */
  private Cut through(Axis.Kind kind, String moments) {
    long[] at = new long[events.ranks()];
    int next = 0;
    long moment = 0;
    for (String part : moments.split(",")) {
      String[] both = part.split(":", 2);
      if (both.length < 2) {
        throw new IllegalArgumentException("not a moment: " + part);
      }
      int rank = Integer.parseInt(both[0]);
      if (rank < next || rank >= at.length) {
        throw new IllegalArgumentException("not a rank in rising order: " + part);
      }
      for (; next < rank; next++) {
        at[next] = moment;
      }
      moment = Long.parseLong(both[1]);
    }
    for (; next < at.length; next++) {
      at[next] = moment;
    }
    LaneIndex lanes = picture.lanes(kind);
    int[] cut = new int[at.length];
    for (int rank = 0; rank < cut.length; rank++) {
      int begun = Math.min(lanes.begun(rank, at[rank]), graph.size(rank));
      boolean inside =
          begun > 0 && lanes.axis().end(rank, events.event(rank, begun - 1)) > at[rank];
      cut[rank] = 2 * begun - (inside ? 1 : 0);
    }
    return new Cut(cut);
  }

  /** A cut in words, and where it goes through the picture. */
  private void write(JsonGenerator json, String name, Cut cut) {
    json.writeObjectPropertyStart(name);
    json.writeStringProperty("text", cut.text());
    for (Axis.Kind kind : Axis.Kind.values()) {
      Axis axis = picture.axis(kind);
      json.writeArrayPropertyStart(kind.word());
      for (int rank = 0; rank < events.ranks(); rank++) {
        json.writeNumber(edge(axis, cut, rank));
      }
      json.writeEndArray();
    }
    json.writeEndObject();
  }

  private long edge(Axis axis, Cut cut, int rank) {
    int begun = cut.begun(rank);
    if (begun == 0) {
      return 0;
    }
    int last = events.event(rank, begun - 1);
    return cut.returned(rank) == begun
        ? axis.end(rank, last)
        : (axis.start(rank, last) + axis.end(rank, last)) / 2;
  }
}
