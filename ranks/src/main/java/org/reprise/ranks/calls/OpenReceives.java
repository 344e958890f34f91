package org.reprise.ranks.calls;

import java.util.ArrayList;
import java.util.List;
import org.reprise.ranks.engine.PendingReceive;
import org.reprise.ranks.fabric.Received;
import org.reprise.ranks.journal.Journal;
import org.reprise.trace.file.Wire;

/**
 * The non-blocking receives of a rank whose outcome is to be recorded and was not yet. A message
 * may be there long before the program asks, and a rank that is killed in between cannot tell.
 */
final class OpenReceives {
  private final Journal journal;
  private final List<PendingReceive> receives = new ArrayList<>();

  OpenReceives(Journal journal) {
    this.journal = journal;
  }

  void add(PendingReceive receive) {
    receives.add(receive);
  }

  /** Writes down those that have a message by now. */
  void resolve() {
    if (receives.isEmpty()) {
      return;
    }
    receives.removeIf(this::tookIfDone);
  }

  private boolean tookIfDone(PendingReceive receive) {
    // A message may come this very moment: first whether it is done, then what it got.
    boolean done = receive.done;
    Received got = receive.received;
    if (!done || got == null) {
      return false;
    }
    journal.postTook(receive.post, got.source(), got.tag(), receive.askedAnyTag);
    return true;
  }

  /** The rank finishes: what has no message now took none. */
  void end() {
    for (PendingReceive receive : receives) {
      if (!tookIfDone(receive)) {
        receive.never = true;
        journal.postEnded(receive.post, Wire.PostEnd.NEVER);
      }
    }
    receives.clear();
  }

  /** A call reports it. */
  void reported(PendingReceive receive) {
    if (receive.isOpen() && receives.remove(receive)) {
      tookIfDone(receive);
    }
  }

  /**
   * It was cancelled in time. That is written down at once, also where the source is named: the
   * program may never complete it, and in a replay it must not take what went elsewhere.
   */
  void cancelled(PendingReceive receive) {
    receives.remove(receive);
    journal.postEnded(receive.post, Wire.PostEnd.CANCELLED);
  }
}
