package org.reprise.viewer.picture;

import java.util.EnumMap;
import java.util.Map;
import org.reprise.causality.races.OtherMessages;
import org.reprise.viewer.ViewedRun;

/** What the pictures of a run are made from, worked out once, and only when it is asked for. */
public final class RunPicture {
  private final ViewedRun run;
  private final RaceMarks marks;
  private final OtherMessages alternatives;
  private final Map<Axis.Kind, LaneIndex> lanes = new EnumMap<>(Axis.Kind.class);
  private final Map<Axis.Kind, MessageSpans> spans = new EnumMap<>(Axis.Kind.class);

  public RunPicture(ViewedRun run) {
    this.run = run;
    marks = new RaceMarks(run.races());
    alternatives = new OtherMessages(run.graph());
  }

  public ViewedRun run() {
    return run;
  }

  public RaceMarks marks() {
    return marks;
  }

  public OtherMessages alternatives() {
    return alternatives;
  }

  public LaneIndex lanes(Axis.Kind kind) {
    synchronized (lanes) {
      return lanes.computeIfAbsent(
          kind, _ -> new LaneIndex(run.graph().events(), Axis.of(kind, run.graph(), run.clocks())));
    }
  }

  public Axis axis(Axis.Kind kind) {
    return lanes(kind).axis();
  }

  public MessageSpans spans(Axis.Kind kind) {
    Axis axis = axis(kind);
    synchronized (spans) {
      return spans.computeIfAbsent(kind, _ -> new MessageSpans(run.graph(), axis));
    }
  }
}
