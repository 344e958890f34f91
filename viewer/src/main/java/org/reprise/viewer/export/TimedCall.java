package org.reprise.viewer.export;

import java.util.function.Consumer;
import org.reprise.causality.EventTable;
import org.reprise.viewer.ViewedRun;
import org.reprise.viewer.picture.Axis;
import org.reprise.viewer.picture.RunPicture;

/**
 * A call with its time on the common clock of all ranks. Viewers want the calls of a lane to
 * exclude each other, which those of several threads of a rank do not: a call begins where the
 * calls before it have ended.
 */
record TimedCall(int event, int rank, long start, long end) {
  /** Goes through the calls of all ranks, rank by rank, in their order. */
  static void each(RunPicture picture, Consumer<TimedCall> todo) {
    Axis axis = picture.axis(Axis.Kind.TIME);
    EventTable events = picture.run().graph().events();
    for (int rank = 0; rank < events.ranks(); rank++) {
      long reached = 0;
      for (int e = events.first(rank); e < events.first(rank + 1); e++) {
        long start = Math.max(reached, axis.start(rank, e));
        reached = Math.max(start, axis.end(rank, e));
        todo.accept(new TimedCall(e, rank, start, reached));
      }
    }
  }

  /**
   * The message that an event sends, or -1. A message of which it is not known that it came is
   * none: nothing could be drawn to.
   */
  static int sent(ViewedRun run, int event) {
    if (!run.graph().events().kind(event).isSend()) {
      return EventTable.NONE;
    }
    int message = run.graph().pairing().message(event);
    return message < 0 || arrival(run, message) < 0 ? EventTable.NONE : message;
  }

  /** The call that told the program of a message's arrival, or {@link EventTable#NONE}. */
  static int arrival(ViewedRun run, int message) {
    int receive = run.graph().pairing().receive(message);
    return receive < 0 ? EventTable.NONE : run.graph().completion(receive);
  }
}
