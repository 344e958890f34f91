package org.reprise.anomaly.agent.detect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.reprise.anomaly.agent.block.Fork;
import org.reprise.anomaly.agent.block.OpenForks;
import org.reprise.anomaly.agent.block.Origin;
import org.reprise.anomaly.agent.block.Tags;
import org.reprise.anomaly.agent.block.ThreadOrder;
import org.reprise.anomaly.agent.detect.history.AccessHistory;
import org.reprise.anomaly.agent.detect.history.AccessSets;
import org.reprise.anomaly.agent.detect.history.Accesses;
import org.reprise.anomaly.agent.detect.history.Conflicts;
import org.reprise.anomaly.agent.detect.history.Kind;

/**
 * What shadows know after concurrent accesses does not depend on how these interleave: tried with
 * threads, by seeds. {@code -Dreprise.seeds=N} for more.
 */
class ShadowProtocolTest {
  private static final int SEEDS = Math.max(300, Integer.getInteger("reprise.seeds", 0) * 1000);
  private static final int THREADS = 3;

  private final Tags tags = new Tags();
  private final OpenForks open = new OpenForks();
  private final ThreadOrder first = new ThreadOrder(tags, open);
  private final Fork loop = first.forkLoop(new Origin(Origin.Kind.LOOP, ""));
  private final Accesses accesses = new Accesses();

  private ArrayShadow shadow() {
    return new Neighbours(0).add(new int[8], accesses, new AccessSets());
  }

  @Test
  void threadsThatAccessAFieldFindAConflictIfAndOnlyIfThereIsOne() throws Exception {
    race(
        (threadOrder, access, history, shadow, conflicts) ->
            history.add(
                threadOrder,
                accesses.number(access.site(), access.kind(), 0),
                access.kind(),
                -1,
                accesses,
                conflicts),
        false);
  }

  @Test
  void threadsThatAccessAnArrayFindAConflictIfAndOnlyIfThereIsOne() throws Exception {
    race(
        (threadOrder, access, history, shadow, conflicts) ->
            shadow.add(
                threadOrder,
                access.from(),
                access.to(),
                1,
                accesses.number(access.site(), access.kind(), 0),
                access.kind(),
                conflicts),
        true);
  }

  /** An access of elements; of a field where elements do not matter. */
  private record Ranged(int site, Kind kind, int from, int to) {
    boolean conflictsWith(Ranged other, boolean hasElements) {
      return kind.conflictsWith(other.kind)
          && (!hasElements || (from < other.to && other.from < to));
    }
  }

  /** What a thread does. */
  @FunctionalInterface
  private interface Action {
    void run(
        ThreadOrder threadOrder,
        Ranged access,
        AccessHistory history,
        ArrayShadow shadow,
        Conflicts conflicts);
  }

  private void race(Action action, boolean hasElements) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(THREADS);
    try {
      for (long seed = 1; seed <= SEEDS; seed++) {
        race(action, hasElements, seed, pool);
      }
    } finally {
      pool.shutdownNow();
    }
  }

  private void race(Action action, boolean hasElements, long seed, ExecutorService pool)
      throws Exception {
    Random random = new Random(seed);
    AccessHistory history = new AccessHistory();
    ArrayShadow shadow = shadow();
    AtomicInteger found = new AtomicInteger();
    CyclicBarrier start = new CyclicBarrier(THREADS);
    List<List<Ranged>> all = new ArrayList<>();
    List<Callable<Void>> threads = new ArrayList<>();
    for (int t = 0; t < THREADS; t++) {
      Ranged[] mine = new Ranged[1 + random.nextInt(3)];
      for (int i = 0; i < mine.length; i++) {
        int from = random.nextInt(6);
        Kind kind = random.nextInt(4) == 0 ? Kind.WRITE : Kind.READ;
        mine[i] = new Ranged(1 + random.nextInt(3), kind, from, from + 1 + random.nextInt(2));
      }
      all.add(Arrays.asList(mine));
      ThreadOrder threadOrder = new ThreadOrder(tags, open, Fork.NOWHERE);
      threadOrder.pushIterations(loop, 1, -1);
      threads.add(
          () -> {
            start.await();
            for (Ranged access : mine) {
              action.run(
                  threadOrder,
                  access,
                  history,
                  shadow,
                  (tag, source, sink, index) -> found.incrementAndGet());
            }
            return null;
          });
    }
    for (Future<Void> ended : pool.invokeAll(threads)) {
      ended.get();
    }
    boolean expected = false;
    for (int t = 0; t < THREADS; t++) {
      for (int other = 0; other < t; other++) {
        for (Ranged one : all.get(t)) {
          expected |=
              all.get(other).stream().anyMatch(access -> access.conflictsWith(one, hasElements));
        }
      }
    }
    assertThat(found.get() > 0).as("seed %d: %s", seed, all).isEqualTo(expected);
  }
}
