package org.reprise.viewer;

import java.util.EnumMap;
import java.util.Map;
import org.reprise.causality.OtherMessages;

/** What the pictures of a run are made from, worked out once, and only when it is asked for. */
final class RunPicture {
  private final ViewedRun run;
  private final RaceMarks marks;
  private final OtherMessages alternatives;
  private final Map<Axis.Kind, LaneIndex> lanes = new EnumMap<>(Axis.Kind.class);
  private final Map<Axis.Kind, MessageSpans> spans = new EnumMap<>(Axis.Kind.class);

  RunPicture(ViewedRun run) {
    this.run = run;
    marks = new RaceMarks(run.races());
    alternatives = new OtherMessages(run.graph());
  }

  ViewedRun run() {
    return run;
  }

  RaceMarks marks() {
    return marks;
  }

  OtherMessages alternatives() {
    return alternatives;
  }

  LaneIndex lanes(Axis.Kind kind) {
    synchronized (lanes) {
      return lanes.computeIfAbsent(
          kind, _ -> new LaneIndex(run.graph().events(), Axis.of(kind, run.graph(), run.clocks())));
    }
  }

  Axis axis(Axis.Kind kind) {
    return lanes(kind).axis();
  }

  MessageSpans spans(Axis.Kind kind) {
    Axis axis = axis(kind);
    synchronized (spans) {
      return spans.computeIfAbsent(kind, _ -> new MessageSpans(run.graph(), axis));
    }
  }
}
