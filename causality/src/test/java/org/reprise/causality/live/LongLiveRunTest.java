package org.reprise.causality.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.reprise.trace.events.CollectiveFlow;
import org.reprise.trace.events.Communicator;
import org.reprise.trace.events.EventCursor;
import org.reprise.trace.events.EventFlag;
import org.reprise.trace.events.EventKind;
import org.reprise.trace.events.RankGroup;

/** However long a run is, what is kept of it depends on what is in flight. */
class LongLiveRunTest {
  private static final int RANKS = 8;

  /** The last rank sends one message at the very end, and knows of nobody. */
  private static final int STRANGER = RANKS - 1;

  private final Point point = new Point();
  private final int[] numbers = new int[RANKS];
  private long racing;
  private long strangers;

  private final LiveRaces races =
      new LiveRaces(
          RANKS,
          new LiveSink() {
            @Override
            public void race(Race race) {
              racing += race.receives();
              strangers += race.sender() == STRANGER ? race.alternatives() : 0;
            }

            @Override
            public void uncertain(int rank, long receive, int site) {
              throw new AssertionError("uncertain: " + receive);
            }
          });

  /** An event of which only a little matters. */
  private static final class Point implements EventCursor {
    private final Communicator world = Communicator.of(1, RankGroup.run(0, RANKS, 1));
    private int rank;
    private long number;
    private EventKind kind = EventKind.LOCAL;
    private int flags;
    private int peer;

    @Override
    public int rank() {
      return rank;
    }

    @Override
    public int ranks() {
      return RANKS;
    }

    @Override
    public boolean advance() {
      return true;
    }

    @Override
    public long number() {
      return number;
    }

    @Override
    public EventKind kind() {
      return kind;
    }

    @Override
    public int flags() {
      return flags;
    }

    @Override
    public int call() {
      return 0;
    }

    @Override
    public int site() {
      return 1;
    }

    @Override
    public int peer() {
      return peer;
    }

    @Override
    public int tag() {
      return 0;
    }

    @Override
    public CollectiveFlow flow() {
      return CollectiveFlow.NONE;
    }

    @Override
    public int comm() {
      return 0;
    }

    @Override
    public long post() {
      return NO_EVENT;
    }

    @Override
    public long bytes() {
      return 0;
    }

    @Override
    public long startNanos() {
      return 0;
    }

    @Override
    public long durationNanos() {
      return 0;
    }

    @Override
    public int thread() {
      return 0;
    }

    @Override
    public int peerCount() {
      return 0;
    }

    @Override
    public int peer(int index) {
      return 0;
    }

    @Override
    public Communicator communicator(int index) {
      return world;
    }

    @Override
    public int communicators() {
      return 1;
    }
  }

  private void event(int rank, EventKind kind, int peer, int flags) {
    point.rank = rank;
    point.number = numbers[rank]++;
    point.kind = kind;
    point.peer = peer;
    point.flags = flags;
    races.read(point);
  }

  /** Workers send results and get tasks; the master takes results from any source. */
  @Test
  void whatIsKeptDoesNotGrowWithTheRun() {
    Random random = new Random(1);
    ArrayDeque<Integer> results = new ArrayDeque<>();
    for (int worker = 1; worker < STRANGER; worker++) {
      event(worker, EventKind.SEND, 0, 0);
      results.add(worker);
    }
    long mostEarly = 0;
    long mostLate = 0;
    int rounds = 200_000;
    for (int round = 0; round < rounds; round++) {
      int worker = results.remove();
      if (!results.isEmpty() && random.nextInt(3) == 0) {
        results.add(worker);
        worker = results.remove();
      }
      event(0, EventKind.RECV, worker, EventFlag.ANY_SOURCE.bit());
      event(0, EventKind.SEND, worker, 0);
      event(worker, EventKind.RECV, 0, 0);
      event(worker, EventKind.SEND, 0, 0);
      results.add(worker);
      if (round % 64 == 0) {
        races.advance();
        if (round < rounds / 20) {
          mostEarly = Math.max(mostEarly, races.kept());
        } else {
          mostLate = Math.max(mostLate, races.kept());
        }
      }
    }
    assertThat(mostLate).isLessThanOrEqualTo(2 * mostEarly).isLessThan(10_000);
    assertThat(strangers).isZero();
    event(STRANGER, EventKind.SEND, 0, 0);
    races.finish();
    assertThat(strangers).as("receives that could have got the last message").isEqualTo(rounds);
    assertThat(racing).as("racing receives").isEqualTo(rounds);
    assertThat(races.limits()).isEmpty();
  }
}
