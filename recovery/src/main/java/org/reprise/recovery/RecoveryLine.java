package org.reprise.recovery;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.reprise.causality.Cut;
import org.reprise.causality.Deliveries;
import org.reprise.causality.EventTable;
import org.reprise.causality.Pairing;

/**
 * A mark of each rank from which a breakpoint is reached: every message that a rank receives on its
 * way there is sent again by a rank that is on its way too, or is in the log. It need not be
 * consistent. Messages that were received before the line and are sent again behind it are
 * <em>orphans</em> and dropped (Thoai and Volkert 2003, section 5, after Shortcut Replay).
 */
public final class RecoveryLine {
  private final Plan plan;
  private final Cut breakpoint;
  private final int[] numbers;
  private final int[] positions;

  RecoveryLine(Plan plan, Cut breakpoint, int[] numbers) {
    this.plan = plan;
    this.breakpoint = breakpoint;
    this.numbers = numbers;
    positions = new int[numbers.length];
    Arrays.setAll(positions, rank -> plan.marks().position(rank, numbers[rank]));
  }

  /**
   * The greatest line: no rank has to go back further than in it. From the last marks before the
   * breakpoint, whoever sent a message that is missing goes back to the mark before that, until
   * none is missing; a message is looked at once.
   */
  public static RecoveryLine greatest(Plan plan, Cut breakpoint) {
    int[] most = new int[plan.marks().timeline().ranks()];
    Arrays.setAll(most, rank -> plan.marks().last(rank, breakpoint.returned(rank)));
    return greatest(plan, breakpoint, most);
  }

  /**
   * The greatest line in which no rank has a later mark than these. A line that serves a breakpoint
   * need not serve a later one: what is received behind the breakpoint may be missing.
   */
  public static RecoveryLine greatest(Plan plan, Cut breakpoint, int[] most) {
    Marks marks = plan.marks();
    Timeline timeline = marks.timeline();
    EventTable events = timeline.events();
    int ranks = timeline.ranks();
    int[] line = new int[ranks];
    int[] scanned = new int[ranks];
    for (int rank = 0; rank < ranks; rank++) {
      scanned[rank] = breakpoint.returned(rank);
      line[rank] = Math.min(most[rank], marks.last(rank, scanned[rank]));
    }
    boolean changed = true;
    while (changed) {
      changed = false;
      for (int rank = 0; rank < ranks; rank++) {
        int from = marks.position(rank, line[rank]);
        int to = scanned[rank];
        scanned[rank] = from;
        for (int number = from; number < to; number++) {
          int event = events.event(rank, number);
          if (!plan.log().has(event)) {
            changed |= goBack(marks, events, event, line);
          }
        }
      }
    }
    return new RecoveryLine(plan, breakpoint, line);
  }

  /** Moves senders of what an event got, if they would not send it again. */
  private static boolean goBack(Marks marks, EventTable events, int event, int[] line) {
    boolean[] changed = new boolean[1];
    marks
        .timeline()
        .sources(
            event,
            source -> {
              int from = events.rank(source);
              int number = source - events.first(from);
              if (number < marks.position(from, line[from])) {
                line[from] = marks.last(from, number);
                changed[0] = true;
              }
            });
    return changed[0];
  }

  public Plan plan() {
    return plan;
  }

  public Cut breakpoint() {
    return breakpoint;
  }

  /** The number of a rank's mark. */
  public int number(int rank) {
    return numbers[rank];
  }

  /** How many events of a rank lie before its mark. */
  public int position(int rank) {
    return positions[rank];
  }

  /** How many marks a rank goes back behind its last one before the breakpoint. */
  public int steps(int rank) {
    return plan.marks().last(rank, breakpoint.returned(rank)) - numbers[rank];
  }

  /** The rollback distance of a rank: the time of the run from its mark to the breakpoint. */
  public long distanceNanos(int rank) {
    Timeline timeline = plan.marks().timeline();
    int begun = breakpoint.begun(rank);
    long end =
        begun > breakpoint.returned(rank)
            ? timeline.entry(timeline.events().event(rank, begun - 1))
            : begun == positions[rank]
                ? timeline.at(rank, begun)
                : timeline.exit(timeline.events().event(rank, begun - 1));
    return end - plan.marks().nanos(rank, numbers[rank]);
  }

  /**
   * Messages that were sent before the line and that a rank gets on its way to the breakpoint: the
   * log has them. Behind the breakpoint more may be needed, and another line.
   */
  public BitSet inTransit() {
    BitSet messages = new BitSet();
    EventTable events = plan.marks().timeline().events();
    Pairing pairing = plan.marks().timeline().graph().pairing();
    Deliveries deliveries = plan.marks().timeline().deliveries();
    for (int rank = 0; rank < positions.length; rank++) {
      for (int number = positions[rank]; number < breakpoint.returned(rank); number++) {
        int message = deliveries.message(events.event(rank, number));
        if (message >= 0) {
          int send = pairing.send(message);
          if (events.number(send) < positions[events.rank(send)]) {
            messages.set(message);
          }
        }
      }
    }
    return messages;
  }

  /** Calls of collectives that get their results from the log. */
  public List<Integer> results() {
    List<Integer> results = new ArrayList<>();
    EventTable events = plan.marks().timeline().events();
    Deliveries deliveries = plan.marks().timeline().deliveries();
    for (int rank = 0; rank < positions.length; rank++) {
      for (int number = positions[rank]; number < breakpoint.returned(rank); number++) {
        int event = events.event(rank, number);
        if (deliveries.collective(event) >= 0 && plan.log().has(event)) {
          results.add(event);
        }
      }
    }
    return results;
  }

  /**
   * Messages that are sent again on the way to the breakpoint, though they were received before the
   * line. They are a set, not the first so many of a channel: by their tags later ones may have
   * been received first.
   */
  public BitSet orphans() {
    BitSet messages = new BitSet();
    EventTable events = plan.marks().timeline().events();
    Pairing pairing = plan.marks().timeline().graph().pairing();
    Deliveries deliveries = plan.marks().timeline().deliveries();
    for (int rank = 0; rank < positions.length; rank++) {
      for (int number = positions[rank]; number < breakpoint.begun(rank); number++) {
        int event = events.event(rank, number);
        int message = events.kind(event).isSend() ? pairing.message(event) : Pairing.NONE;
        int receive = message < 0 ? EventTable.NONE : deliveries.received(message);
        if (receive >= 0 && events.number(receive) < positions[events.rank(receive)]) {
          messages.set(message);
        }
      }
    }
    return messages;
  }
}
