package org.reprise.viewer.picture;

import org.reprise.causality.EventGraph;
import org.reprise.causality.EventTable;
import org.reprise.trace.events.EventKind;
import org.reprise.viewer.ViewedRun;

/** Calls in columns, with what the page needs to draw each and to say what it is. */
public final class CallColumns {
  /** What a call is, as bits. */
  public static final int RACING = 1;

  public static final int FORCED = 2;
  public static final int UNCERTAIN = 4;

  /** The call at which a racing receive got its message, which is where its race is marked. */
  public static final int RACE_HERE = 8;

  private final RunPicture picture;
  private final EventGraph graph;
  private final EventTable events;
  private final Axis axis;
  private final Ints event = new Ints();
  private final Ints rank = new Ints();
  private final Ints number = new Ints();
  private final Longs start = new Longs();
  private final Longs end = new Longs();
  private final Ints state = new Ints();
  private final Ints call = new Ints();
  private final Ints peer = new Ints();
  private final Ints tag = new Ints();
  private final Longs bytes = new Longs();
  private final Ints marks = new Ints();
  private final Ints collective = new Ints();

  public CallColumns(RunPicture picture, Axis axis) {
    this.picture = picture;
    this.axis = axis;
    graph = picture.run().graph();
    events = graph.events();
  }

  public void add(int of, int added) {
    event.add(added);
    rank.add(of);
    number.add(added - events.first(of));
    start.add(axis.start(of, added));
    end.add(axis.end(of, added));
    state.add(State.of(events, added).ordinal());
    call.add(events.call(added));
    peer.add(events.peer(added));
    tag.add(events.tag(added));
    bytes.add(events.bytes(added));
    marks.add(marks(picture.run(), added));
    collective.add(
        events.kind(added).isCollective() ? graph.collectiveNumber(added) : EventTable.NONE);
  }

  public static int marks(ViewedRun run, int event) {
    int began = EventTable.NONE;
    EventTable events = run.graph().events();
    if (events.kind(event) == EventKind.COMPLETE) {
      began = events.link(event);
    } else if (events.kind(event) != EventKind.POST_RECV || run.graph().completion(event) < 0) {
      began = event;
    }
    return (began >= 0 && run.races().contains(began) ? RACE_HERE : 0)
        | (run.races().contains(event) ? RACING : 0)
        | (run.controlSet().contains(event) ? FORCED : 0)
        | (run.races().isUncertain(event) ? UNCERTAIN : 0);
  }

  public Columns into(Columns columns) {
    return columns
        .ints("event", event)
        .ints("rank", rank)
        .ints("number", number)
        .numbers("start", start)
        .numbers("end", end)
        .ints("state", state)
        .ints("call", call)
        .ints("peer", peer)
        .ints("tag", tag)
        .numbers("bytes", bytes)
        .ints("marks", marks)
        .ints("collective", collective);
  }
}
