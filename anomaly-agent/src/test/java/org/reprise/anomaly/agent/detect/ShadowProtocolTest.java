package org.reprise.anomaly.agent.detect;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
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
import org.reprise.anomaly.agent.block.Strand;
import org.reprise.anomaly.agent.block.Tags;

/**
 * What shadows know after concurrent accesses does not depend on how these interleave. An array's
 * visitors are looked at without a lock first, so every interleaving of their steps is tried; what
 * is done under a lock is tried with threads, by seeds. {@code -Dreprise.seeds=N} for more.
 */
class ShadowProtocolTest {
  private static final int SEEDS = Math.max(300, Integer.getInteger("reprise.seeds", 0) * 1000);
  private static final int THREADS = 3;

  private final Tags tags = new Tags();
  private final OpenForks open = new OpenForks();
  private final Strand first = new Strand(tags, open);
  private final Fork loop = first.forkLoop(new Origin(Origin.Kind.LOOP, ""));
  private final Accesses accesses = new Accesses();

  /** An access of an array by an iteration. */
  private record Visit(int tag, boolean isWrite) {}

  @Test
  void everyInterleavingOfUpToThreeVisitsHasTheAnswerOfTheSequence() throws Exception {
    int executions = 0;
    for (int count = 1; count <= 3; count++) {
      for (int choice = 0; choice < 1 << (3 * count); choice++) {
        List<Visit> visits = new ArrayList<>();
        for (int i = 0; i < count; i++) {
          int bits = choice >> (3 * i);
          visits.add(new Visit(1 + (bits & 3) % 3, (bits & 4) != 0));
        }
        executions += explore(visits, new int[count], new ArrayList<>());
      }
    }
    assertThat(executions).isGreaterThan(10_000);
  }

  /**
   * Tries every way to go on; a visit has two steps: it looks, and then it changes what it saw
   * reason to change. Visits of one iteration come one after the other.
   */
  private int explore(List<Visit> visits, int[] steps, List<Integer> schedule) throws Exception {
    int executions = 0;
    boolean isOver = true;
    for (int i = 0; i < visits.size(); i++) {
      if (steps[i] < 2 && mayGoOn(visits, steps, i)) {
        isOver = false;
        steps[i]++;
        schedule.add(i);
        executions += explore(visits, steps, schedule);
        schedule.remove(schedule.size() - 1);
        steps[i]--;
      }
    }
    if (isOver) {
      check(visits, schedule);
      return 1;
    }
    return executions;
  }

  private static boolean mayGoOn(List<Visit> visits, int[] steps, int visit) {
    for (int earlier = 0; earlier < visit; earlier++) {
      if (visits.get(earlier).tag() == visits.get(visit).tag() && steps[earlier] < 2) {
        return false;
      }
    }
    return true;
  }

  private void check(List<Visit> visits, List<Integer> schedule) throws Exception {
    Deferral old = new Deferral(loop, 1);
    Deferral deferral = new Deferral(loop, 2);
    ArrayShadow shadow = shadow();
    shadow.visit(old, 3, true);
    boolean[] changes = new boolean[visits.size()];
    boolean[] hasLooked = new boolean[visits.size()];
    long[] seen = new long[visits.size()];
    for (int number : schedule) {
      Visit visit = visits.get(number);
      if (!hasLooked[number]) {
        hasLooked[number] = true;
        seen[number] = VISITORS.getLong(shadow);
        changes[number] = seesReasonToChange(shadow, deferral, visit);
      } else if (changes[number]) {
        CHANGE.invoke(shadow, deferral, seen[number], visit.tag(), visit.isWrite());
      }
    }
    boolean expected =
        visits.stream()
            .anyMatch(
                one ->
                    one.isWrite() && visits.stream().anyMatch(other -> other.tag() != one.tag()));
    assertThat(shadow.isMixed(deferral))
        .as("%s in the order %s", visits, schedule)
        .isEqualTo(expected);
  }

  /** A visit that changes anything does so to a shadow that nobody else has, too. */
  private boolean seesReasonToChange(ArrayShadow shadow, Deferral deferral, Visit visit)
      throws Exception {
    ArrayShadow probe = shadow();
    VISITORS.setLong(probe, VISITORS.getLong(shadow));
    probe.visit(new Deferral(loop, deferral.number), visit.tag(), visit.isWrite());
    return VISITORS.getLong(probe) != VISITORS.getLong(shadow);
  }

  private static final Method CHANGE = method();
  private static final Field VISITORS = field();

  private static Method method() {
    try {
      Method change =
          ArrayShadow.class.getDeclaredMethod(
              "change", Deferral.class, long.class, int.class, boolean.class);
      change.setAccessible(true);
      return change;
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Field field() {
    try {
      Field visitors = ArrayShadow.class.getDeclaredField("visitors");
      visitors.setAccessible(true);
      return visitors;
    } catch (NoSuchFieldException e) {
      throw new IllegalStateException(e);
    }
  }

  private ArrayShadow shadow() {
    return new ArrayShadow(8, accesses, new AccessSets());
  }

  @Test
  void threadsThatAccessAFieldFindAConflictIfAndOnlyIfThereIsOne() throws Exception {
    race(
        (strand, access, history, shadow, conflicts) ->
            history.add(
                strand,
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
        (strand, access, history, shadow, conflicts) ->
            shadow.add(
                strand,
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
        Strand strand,
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
      Strand strand = new Strand(tags, open, Fork.NOWHERE);
      strand.pushIterations(loop, 1, -1);
      threads.add(
          () -> {
            start.await();
            for (Ranged access : mine) {
              action.run(
                  strand,
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
