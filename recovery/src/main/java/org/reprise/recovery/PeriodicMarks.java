package org.reprise.recovery;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.reprise.causality.Cut;
import org.reprise.causality.EventTable;

/**
 * Marks as ROS and MRT take them (Thoai and Volkert 2003, section 6): each rank when its own period
 * is over, which begins anew with every mark; and before it receives a message of a higher
 * interval, with the index of that. The message is received when the program has it, so of a
 * non-blocking receive the mark is before the call that completes it.
 *
 * <p>Where the paper has receives that send nothing, MPI has calls that do both, as MPI_Sendrecv
 * and collectives. A mark in front of such a call raises the interval of what it sends, when
 * another rank may have received that already. So what remains too low is raised in another walk,
 * until nothing is.
 */
final class PeriodicMarks extends CausalWalk {
  private final Timeline timeline;
  private final EventTable events;
  private final Period period;
  private final List<Map<Integer, Integer>> floors;
  private final Marks.Builder marks;
  private int needed;

  private PeriodicMarks(Timeline timeline, Period period, List<Map<Integer, Integer>> floors) {
    super(timeline, new int[timeline.ranks()]);
    this.timeline = timeline;
    this.events = timeline.events();
    this.period = period;
    this.floors = floors;
    marks = new Marks.Builder(timeline);
  }

  static Marks of(Timeline timeline, Period period) {
    int[] moments = new int[timeline.ranks()];
    List<Map<Integer, Integer>> floors = new ArrayList<>();
    for (int rank = 0; rank < moments.length; rank++) {
      moments[rank] = 2 * timeline.end(rank);
      floors.add(new HashMap<>());
    }
    while (true) {
      PeriodicMarks walk = new PeriodicMarks(timeline, period, floors);
      walk.to(new Cut(moments));
      Marks marks = walk.marks.build();
      if (!raise(marks, floors)) {
        return marks;
      }
    }
  }

  /** Finds receives of a higher interval; false if there is none. */
  private static boolean raise(Marks marks, List<Map<Integer, Integer>> floors) {
    Timeline timeline = marks.timeline();
    EventTable events = timeline.events();
    boolean[] raised = new boolean[1];
    for (int rank = 0; rank < timeline.ranks(); rank++) {
      int first = events.first(rank);
      Map<Integer, Integer> own = floors.get(rank);
      for (int event = first; event < first + timeline.end(rank); event++) {
        int position = timeline.callStart(event) - first;
        int index = marks.index(event);
        timeline.sources(
            event,
            source -> {
              int theirs = marks.index(source);
              if (theirs > index) {
                own.merge(position, theirs, Math::max);
                raised[0] = true;
              }
            });
      }
    }
    return raised[0];
  }

  @Override
  void enter(int rank, int event) {
    if (timeline.callStart(event) != event) {
      return;
    }
    int position = event - events.first(rank);
    VirtualCheckpoint last = marks.last(rank);
    long since = period.at(timeline, rank, position) - period.at(timeline, rank, last.position());
    if (since >= period.length()) {
      marks.add(rank, last.index() + 1, position, VirtualCheckpoint.Cause.PERIOD);
    }
    force(rank, position, floors.get(rank).getOrDefault(position, 0));
  }

  @Override
  void leave(int rank, int event) {
    needed = 0;
    timeline.sources(
        event,
        source -> {
          int from = events.rank(source);
          needed = Math.max(needed, marks.index(from, source - events.first(from)));
        });
    force(rank, timeline.callStart(event) - events.first(rank), needed);
  }

  private void force(int rank, int position, int index) {
    if (index > marks.last(rank).index()) {
      marks.add(rank, index, position, VirtualCheckpoint.Cause.FORCED);
    }
  }
}
