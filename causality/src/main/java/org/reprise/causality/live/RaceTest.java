package org.reprise.causality.live;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.reprise.causality.races.RaceScan;

/**
 * Whether a receive or probe of one rank could have got a message: the test of {@link RaceScan},
 * for one pair. The receive has been looked at, the message is the first one of its source that no
 * receive posted before took, and its send was entered.
 */
final class RaceTest {
  private static final int PATTERNS = 4;

  private final int rank;
  private final LiveSink sink;

  /** Receives whose message is not known, by posting. */
  private final List<Receive> doubtful = new ArrayList<>();

  RaceTest(int rank, LiveSink sink) {
    this.rank = rank;
    this.sink = sink;
  }

  int rank() {
    return rank;
  }

  void doubt(Receive receive) {
    doubtful.add(receive);
  }

  /** Tells of it if they race. */
  void race(Scanned one, Message message) {
    if (message.known >= one.limit() || !isPossible(one, message)) {
      return;
    }
    int fresh = one.race();
    sink.race(
        new Race(
            rank,
            one.number,
            one.kind,
            one.site,
            message.source,
            message.number,
            message.site,
            fresh,
            one.count()));
  }

  private boolean isPossible(Scanned one, Message message) {
    Receive receive = one.receive;
    if (receive == null && doubtful.isEmpty()) {
      return true;
    }
    int limit = one.limit();
    if (receive != null && (isTold(receive, message) || goesToCancelled(receive, message, limit))) {
      return false;
    }
    for (int i = 0; i < PATTERNS; i++) {
      int tag = (i & 1) == 0 ? message.tag : Receive.ANY;
      int source = (i & 2) == 0 ? message.source : Receive.ANY;
      if (isDoubtful(one, message.comm, source, tag)) {
        one.uncertain = true;
        return false;
      }
      Earlier last = receive == null ? null : last(receive, source, tag);
      if (last != null && last.took() < 0) {
        one.uncertain |= last.isUnknown();
        return false;
      }
      if (last != null && receive != null && isMatchedAfter(receive, last, limit)) {
        return false;
      }
    }
    return receive == null
        || receive.tag != Receive.ANY
        || earlierAreMatched(receive, message, limit);
  }

  private boolean isDoubtful(Scanned one, int comm, int source, int tag) {
    for (Receive receive : doubtful) {
      if (receive.number < one.number
          && receive.comm == comm
          && receive.tookSource == source
          && receive.tookTag == tag) {
        return true;
      }
    }
    return false;
  }

  /** Of those that ask for this and were not cancelled the last one, if it was open. */
  private static @Nullable Earlier last(Receive receive, int source, int tag) {
    for (Earlier earlier : receive.earlier) {
      if (earlier.isLast() && earlier.source() == source && earlier.tag() == tag) {
        return earlier;
      }
    }
    return null;
  }

  /** Whether the sender knew that a synchronous send was over, which the match had to precede. */
  private static boolean isTold(Receive receive, Message message) {
    for (Message teller : receive.tellers) {
      if (message.follows(teller.source, teller.completion)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a receive that was cancelled later would have got the message. */
  private static boolean goesToCancelled(Receive receive, Message message, int limit) {
    for (Earlier earlier : receive.earlier) {
      if (earlier.isCancelled() && earlier.accepts(message) && earlier.cancel() + 2 > limit) {
        return true;
      }
    }
    return false;
  }

  /** Earlier messages of the same source that were taken by open receives with other tags. */
  private static boolean earlierAreMatched(Receive receive, Message message, int limit) {
    for (Earlier earlier : receive.earlier) {
      if (earlier.took() >= 0
          && earlier.tookSource() == message.source
          && earlier.took() <= message.number
          && isMatchedAfter(receive, earlier, limit)) {
        return false;
      }
    }
    return true;
  }

  /** Whether the receive must be matched before an earlier one can be. */
  private static boolean isMatchedAfter(Receive receive, Earlier earlier, int limit) {
    if (earlier.known() >= limit) {
      return true;
    }
    for (Message teller : receive.tellers) {
      boolean before =
          teller.source == receive.rank
              ? teller.completion < earlier.receive()
              : teller.completion != Message.NEVER
                  && earlier.posted()[teller.source] >= teller.completion + 2;
      if (before) {
        return true;
      }
      for (Message matched : earlier.matched()) {
        if (matched.follows(teller.source, teller.completion)) {
          return true;
        }
      }
    }
    return false;
  }
}
