package org.reprise.causality.live;

import java.util.ArrayDeque;
import java.util.List;
import org.reprise.trace.events.EventKind;

/**
 * Goes through the calls that were read, in an order that respects everything that orders them, and
 * keeps what each rank knows. A call is entered, and left when all that it waited for was entered.
 */
final class Pass {
  /** Calls of one rank in a row: ranks that keep in step have few messages under way. */
  private static final int BURST = 256;

  /** Receives what has been passed. */
  interface Listener {
    void entered(Message message);

    void passed(Receive receive);
  }

  private final LiveRank[] ranks;
  private final Listener listener;
  private final ArrayDeque<LiveRank> ready = new ArrayDeque<>();
  private boolean finished;

  Pass(LiveRank[] ranks, Listener listener) {
    this.ranks = ranks;
    this.listener = listener;
  }

  /** A rank may be able to go on. */
  void wake(int rank) {
    LiveRank woken = ranks[rank];
    if (!woken.ready && !woken.calls.isEmpty()) {
      woken.ready = true;
      ready.addLast(woken);
    }
  }

  /** Nothing is read any more: nobody waits for what did not come. */
  void finish() {
    finished = true;
    for (LiveRank rank : ranks) {
      wake(rank.number);
    }
  }

  void run() {
    for (LiveRank rank = ready.pollFirst(); rank != null; rank = ready.pollFirst()) {
      rank.ready = false;
      int begun = rank.begun;
      run(rank);
      if (rank.begun != begun) {
        rank.release(ranks, this::wake);
      }
    }
  }

  private void run(LiveRank rank) {
    for (int burst = 0; !rank.calls.isEmpty(); burst++) {
      if (burst == BURST) {
        wake(rank.number);
        return;
      }
      Call call = rank.calls.getFirst();
      if (!rank.inside) {
        rank.begun = call.number + 1;
        rank.inside = true;
        enter(rank, call);
      }
      if (!leave(rank, call)) {
        return;
      }
      rank.inside = false;
      rank.calls.removeFirst();
    }
  }

  private void enter(LiveRank rank, Call call) {
    Message message = call.message;
    Receive receive = call.receive;
    Gathering gathering = call.gathering;
    if (call.kind.isSend() && message != null) {
      int to = message.destination;
      message.known = to == rank.number ? call.number + 1 : rank.known(to);
      message.sent = rank.lend();
      message.entered = true;
      listener.entered(message);
    } else if (receive != null && receive.number == call.number) {
      receive.posted = rank.lend();
      receive.entered = true;
    } else if (gathering != null && call.part != null && call.kind.isCollective()) {
      gathering.arrive(call.part, rank.lend(), this::wake);
    }
  }

  /** Takes into account what a call waited for; false if that has not happened yet. */
  private boolean leave(LiveRank rank, Call call) {
    Receive receive = call.receive;
    Message message = call.message;
    if (receive != null) {
      return call.kind == EventKind.POST_RECV
          || call.kind == EventKind.CANCEL
          || leaveReceive(rank, call, receive);
    }
    if (message != null) {
      return call.kind == EventKind.POST_SEND || !message.synchronous || leaveSend(rank, message);
    }
    return call.gathering == null
        || call.part == null
        || call.kind == EventKind.POST_COLLECTIVE
        || leaveCollective(rank, call.gathering, call.part);
  }

  private boolean leaveReceive(LiveRank rank, Call call, Receive receive) {
    if (!receive.settled) {
      return false; // who settles it wakes the rank
    }
    boolean told = call.kind != EventKind.MATCHED && receive.message != null;
    if (told && (receive.isProbe() || !receive.absorbed)) {
      List<Receive> closure = receive.closure(false);
      if (!areEntered(rank, closure)) {
        return false;
      }
      noteMatches(closure);
      absorb(rank, call, closure);
    }
    listener.passed(receive);
    return true;
  }

  /** Whether the messages of some receives were sent, as far as the pass has come. */
  private boolean areEntered(LiveRank rank, List<Receive> receives) {
    for (Receive each : receives) {
      Message message = each.message;
      if (message != null && !message.entered) {
        rank.await(ranks[message.source]);
        return false;
      }
    }
    return true;
  }

  private static void absorb(LiveRank rank, Call call, List<Receive> closure) {
    for (Receive each : closure) {
      Message message = each.message;
      if (message != null) {
        rank.learn(message.sent, message.source, message.number + 1);
        each.absorbed = !each.isProbe();
        each.seen = Math.min(each.seen, call.number);
      }
    }
  }

  /** What was known of the rank when each was matched; the earlier ones come last. */
  static void noteMatches(List<Receive> closure) {
    List<Receive> rising = closure;
    if (closure.size() > 1) {
      rising = closure.stream().sorted((a, b) -> Integer.compare(a.number, b.number)).toList();
    }
    for (Receive each : rising) {
      Message message = each.message;
      if (message != null) {
        int most = Math.max(message.known, each.number + 1);
        for (Receive earlier : each.predecessors) {
          most = Math.max(most, earlier.knownAtMatch);
        }
        each.knownAtMatch = most;
      }
    }
  }

  /** A synchronous send has completed when its message was matched. */
  private boolean leaveSend(LiveRank rank, Message message) {
    Receive taker = message.taker;
    if (taker == null) {
      return finished; // who settles it wakes the rank
    }
    if (!taker.entered) {
      rank.await(ranks[taker.rank]);
      return false;
    }
    for (Message each : taker.matched) {
      if (!each.entered) {
        rank.await(ranks[each.source]);
        return false;
      }
    }
    rank.learn(taker.posted, taker.rank, taker.number + 1);
    for (Message each : taker.matched) {
      if (each != message) {
        rank.learn(each.sent, each.source, each.number + 1);
      }
    }
    message.taker = null;
    return true;
  }

  private boolean leaveCollective(LiveRank rank, Gathering gathering, Gathering.Part part) {
    int missing = gathering.missing(part);
    if (missing == Gathering.SOMEBODY) {
      gathering.await(part);
      return false;
    }
    if (missing != Gathering.NOBODY) {
      rank.await(ranks[missing]);
      return false;
    }
    gathering.give(part, rank);
    gathering.leave();
    return true;
  }
}
