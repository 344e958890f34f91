package org.reprise.anomaly.agent.jdk;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.reprise.anomaly.agent.block.Release;
import org.reprise.anomaly.agent.block.ThreadOrder;
import org.reprise.anomaly.agent.detect.Stacks;
import org.reprise.anomaly.hooks.Hooks;

/**
 * The permits of a semaphore. It hands over: who acquires is after the releases without which there
 * would be no permit on any schedule. Those are known where releases come one after the other, and
 * acquires too; or, without permits at the beginning, where all that were ever released are taken
 * at once. With one permit that each block gives back itself it is a lock.
 */
final class Permits {
  private final Object semaphore;
  private final int initial;
  private final BiConsumer<String, String> obstacles;

  /** One for each permit, in the order in which they came. */
  private final List<Release> released = new ArrayList<>();

  /** Whether an order was promised that further releases could break. */
  private boolean hasHandedOn;

  /** How many of the released permits were taken, where there were others at the beginning. */
  private int taken;

  /** Whether who took the one permit has always given it back. */
  private boolean isLock = true;

  /** Who has taken the one permit, as a lock. */
  private @Nullable ThreadOrder holder;

  private boolean releasesAreOrdered = true;
  private int lastRelease;
  private int acquired;
  private boolean acquiresAreOrdered = true;
  private int lastAcquire;

  Permits(Object semaphore, int initial, BiConsumer<String, String> obstacles) {
    this.semaphore = semaphore;
    this.initial = initial;
    this.obstacles = obstacles;
  }

  synchronized void release(ThreadOrder threadOrder, int count) {
    if (initial == 1) {
      givesBack(threadOrder);
    }
    releasesAreOrdered &= lastRelease == 0 || threadOrder.isAfter(lastRelease);
    lastRelease = threadOrder.tag;
    boolean isBeside = lastAcquire != 0 && !threadOrder.isAfter(lastAcquire);
    if (!releasesAreOrdered && isBeside && (initial == 0 || hasHandedOn)) {
      leftToChance();
    }
    if (initial > 0 && !areOrdered()) {
      released.clear();
      return;
    }
    Release release = threadOrder.release();
    for (int i = 0; i < count; i++) {
      released.add(release);
    }
  }

  synchronized void acquire(ThreadOrder threadOrder, int count) {
    if (initial == 1) {
      takes(threadOrder);
    }
    acquiresAreOrdered &= lastAcquire == 0 || threadOrder.isAfter(lastAcquire);
    lastAcquire = threadOrder.tag;
    acquired += count;
    if (initial > 0) {
      handOn(threadOrder);
      return;
    }
    if (!releasesAreOrdered && acquired < released.size()) {
      leftToChance();
      return;
    }
    int needed = acquiresAreOrdered || !releasesAreOrdered ? acquired : count;
    released.subList(0, Math.min(needed, released.size())).forEach(threadOrder::acquire);
    threadOrder.renew();
    lastAcquire = threadOrder.tag;
  }

  private boolean areOrdered() {
    return acquiresAreOrdered && releasesAreOrdered;
  }

  /** All beyond the first permits are those that others gave. */
  private void handOn(ThreadOrder threadOrder) {
    while (areOrdered() && taken < acquired - initial && !released.isEmpty()) {
      taken++;
      Release next = released.remove(0);
      hasHandedOn |= !next.isBy(threadOrder);
      threadOrder.acquire(next);
      threadOrder.renew();
      lastAcquire = threadOrder.tag;
    }
  }

  /** The one permit is taken: as a lock is, unless others have given it back before. */
  private void takes(ThreadOrder threadOrder) {
    if (holder == threadOrder) {
      Hooks.exit(semaphore, threadOrder);
      isLock = false;
    }
    if (isLock) {
      Hooks.enter(semaphore, threadOrder);
      holder = threadOrder;
    }
  }

  private void givesBack(ThreadOrder threadOrder) {
    if (holder == threadOrder) {
      Hooks.exit(semaphore, threadOrder);
      holder = null;
    } else {
      isLock = false;
    }
  }

  private void leftToChance() {
    obstacles.accept(
        "a semaphore whose permits come from concurrent blocks, in an order schedule-dependent",
        Stacks.place());
  }
}
