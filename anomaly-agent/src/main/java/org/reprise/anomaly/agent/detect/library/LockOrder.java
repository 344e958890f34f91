package org.reprise.anomaly.agent.detect.library;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.reprise.anomaly.agent.block.ThreadOrder;

/**
 * Which locks are taken while others are held. If concurrent blocks take locks in a cycle, and no
 * lock that they have in common keeps them apart, there is a schedule on which they wait for each
 * other for ever (Havelund, Using Runtime Analysis to Guide Model Checking of Java Programs, 2000).
 * The same holds if a block that has a lock waits for one that took it before.
 */
public final class LockOrder {
  /** Of so many places it is known where they are. */
  private static final int PLACES_MAX = 1000;

  private static final int STEPS_MAX = 1_000_000;

  private final LockSets locks;
  private final Supplier<String> places;
  private final Map<Long, Step> steps = new HashMap<>();

  /** By the lock that is held, by its number. */
  private final Map<Integer, List<Step>> byHeld = new HashMap<>();

  /** By the lock, as it is held: who took it. */
  private final Map<Integer, RecentBlocks> holders = new HashMap<>();

  /** Of these locks; somebody else says where the program is. */
  public LockOrder(LockSets locks, Supplier<String> places) {
    this.locks = locks;
    this.places = places;
  }

  /** Blocks that held these locks, and took one more. */
  private static final class Step {
    final int held;
    final int lock;
    final String place;
    final RecentBlocks blocks = new RecentBlocks();
    boolean isReported;

    Step(int held, int lock, String place) {
      this.held = held;
      this.lock = lock;
      this.place = place;
    }
  }

  /**
   * The thread, which held a set of locks, takes one more.
   *
   * @return what prevents validation, in words
   */
  public synchronized Optional<String> takes(int held, int lock, ThreadOrder threadOrder) {
    if (locks.isEmpty(held) || locks.contains(held, lock)) {
      return Optional.empty();
    }
    long key = (long) held << 32 | lock;
    Step step = steps.get(key);
    if (step == null) {
      if (steps.size() == STEPS_MAX) {
        return Optional.of("more pairs of locks, one taken in the other, than are remembered");
      }
      step = new Step(held, lock, steps.size() < PLACES_MAX ? places.get() : "");
      steps.put(key, step);
      for (int outer : locks.locks(held)) {
        byHeld.computeIfAbsent(outer >> 1, any -> new ArrayList<>()).add(step);
      }
    }
    step.blocks.add(threadOrder);
    if (step.isReported) {
      return Optional.empty();
    }
    Optional<Step> other = cycle(step, List.of(step), threadOrder, new HashSet<>());
    step.isReported = other.isPresent();
    return other.map(
        found ->
            "locks that concurrent blocks take in another order"
                + (found.place.isEmpty() ? "" : ", as at " + found.place)
                + ": a deadlock on another schedule");
  }

  /** The step that closes a cycle with the path, which begins with the thread's own. */
  private Optional<Step> cycle(
      Step last, List<Step> path, ThreadOrder threadOrder, Set<Step> visited) {
    for (Step next : byHeld.getOrDefault(last.lock >> 1, List.of())) {
      if (!waits(last, next)
          || next.blocks.beside(threadOrder).length == 0
          || path.stream().anyMatch(step -> locks.meet(step.held, next.held))
          || !visited.add(next)) {
        continue;
      }
      if (waits(next, path.get(0))) {
        return Optional.of(next);
      }
      List<Step> longer = new ArrayList<>(path);
      longer.add(next);
      Optional<Step> found = cycle(next, longer, threadOrder, visited);
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  /** Whether one step waits for a lock as long as the other's block holds it. */
  private boolean waits(Step one, Step other) {
    return locks.excludes(one.lock, other.held);
  }

  /**
   * The thread has taken a lock.
   *
   * @return the blocks that had it before, although nothing says that they must
   */
  public synchronized int[] holders(int lock, ThreadOrder threadOrder) {
    boolean isShared = (lock & 1) != 0;
    int[] others = holders(lock ^ 1).beside(threadOrder);
    int[] same = holders(lock).add(threadOrder);
    return isShared ? others : IntStream.concat(IntStream.of(same), IntStream.of(others)).toArray();
  }

  private RecentBlocks holders(int lock) {
    return holders.computeIfAbsent(lock, any -> new RecentBlocks());
  }
}
