package org.reprise.exploration;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.reprise.causality.EventTable;
import org.reprise.trace.TraceError;
import org.reprise.trace.events.EventFlag;
import org.reprise.trace.events.EventKind;
import org.reprise.trace.file.Wire;
import org.reprise.trace.order.Outcome;
import org.reprise.trace.order.RankPlan;

/** Which event of a rank each outcome of its order belongs to: both stand in the same order. */
final class OrderAlignment {
  private final EventTable events;
  private final CallNumbering numbering;

  OrderAlignment(EventTable events, CallNumbering numbering) {
    this.events = events;
    this.numbering = numbering;
  }

  /** The outcomes of calls that left something open, in their order. */
  static List<Outcome> outcomes(RankPlan order) {
    return order.calls().stream().filter(RankPlan::isOfCall).toList();
  }

  /**
   * The events of a rank's calls that left something open, one for each outcome: the last one of
   * the call.
   */
  int[] calls(int rank, RankPlan order) {
    int next = events.first(rank);
    int end = next + events.size(rank);
    List<Outcome> outcomes = outcomes(order);
    int[] found = new int[outcomes.size()];
    int count = 0;
    for (Outcome outcome : outcomes) {
      while (next < end && !fits(outcome, next)) {
        next++;
      }
      if (next == end) {
        break;
      }
      found[count++] = next++;
    }
    // A rank that was killed may have noted an outcome and not its event: the last one, no other.
    if (count < outcomes.size() - 1) {
      throw new TraceError(
          "the events of rank " + rank + " do not fit its order",
          count + " calls among them left something open, where its order has " + outcomes.size(),
          "record the program again");
    }
    return Arrays.copyOf(found, count);
  }

  /** The events of a rank's non-blocking operations, by post number. */
  int[] posts(int rank) {
    int first = events.first(rank);
    List<Integer> found = new ArrayList<>();
    for (int event = first; event < first + events.size(rank); event++) {
      EventKind kind = events.kind(event);
      if (!kind.isCollective()
          && numbering.takesPost(events.call(event), kind, isJoined(events, event))) {
        found.add(event);
      }
    }
    return found.stream().mapToInt(Integer::intValue).toArray();
  }

  /** The first event of the call that an event is the last one of. */
  static int firstOfCall(EventTable events, int event) {
    int begin = events.first(events.rank(event));
    int first = event;
    while (first > begin && isJoined(events, first - 1)) {
      first--;
    }
    return first;
  }

  private static boolean isJoined(EventTable events, int event) {
    return !events.kind(event).isCollective() && events.is(event, EventFlag.JOINED);
  }

  private boolean fits(Outcome outcome, int event) {
    EventKind kind = events.kind(event);
    if (kind.isCollective() || kind == EventKind.POLLS) {
      return false;
    }
    boolean wild = events.is(event, EventFlag.ANY_SOURCE) || events.is(event, EventFlag.ANY_TAG);
    boolean probes = kind == EventKind.PROBE || kind == EventKind.MPROBE;
    boolean poll = events.is(event, EventFlag.POLL);
    boolean failed = kind == EventKind.LOCAL && wild;
    String name = numbering.name(events.call(event));
    boolean last =
        !events.is(event, EventFlag.JOINED)
            && (kind == EventKind.COMPLETE || kind == EventKind.LOCAL);
    return switch (outcome) {
      case Outcome.Recv _ -> kind == EventKind.RECV && wild || failed;
      case Outcome.Probe _ -> probes && wild && !poll || failed;
      case Outcome.Found _ -> probes && wild && poll;
      case Outcome.Hit(Wire.Poll which) ->
          switch (which) {
            case TEST -> last && name.equals("Test");
            case TESTALL -> last && name.equals("Testall");
            case GET_STATUS -> last && name.equals("Request_get_status");
            case IPROBE -> name.equals("Iprobe");
            case IMPROBE -> name.equals("Improbe");
            case PARRIVED -> name.equals("Parrived");
            case WIN_TEST -> name.equals("Win_test");
          };
      case Outcome.Index _ -> last && (name.equals("Waitany") || name.equals("Testany"));
      case Outcome.Indices _ -> last && (name.equals("Waitsome") || name.equals("Testsome"));
      default -> false;
    };
  }
}
