package org.reprise.anomaly.agent.jdk;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.reprise.anomaly.agent.block.Release;
import org.reprise.anomaly.agent.block.ThreadOrder;
import org.reprise.anomaly.agent.detect.Stacks;
import org.reprise.anomaly.hooks.Hooks;

/**
 * The permits of a semaphore. With one at the beginning it is a lock, which excludes and orders
 * nothing; with more it only bounds how many run. Without any it hands over: who acquires is after
 * the releases without which there would be no permit on any schedule. Those are known where
 * releases come one after the other, or where all that were ever released are taken at once.
 */
final class Permits {
  private final Object semaphore;
  private final int initial;
  private final BiConsumer<String, String> obstacles;

  /** One for each permit, in the order in which they came. */
  private final List<Release> released = new ArrayList<>();

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
      Hooks.exit(semaphore, threadOrder);
    }
    if (initial != 0) {
      return;
    }
    releasesAreOrdered &= lastRelease == 0 || threadOrder.isAfter(lastRelease);
    lastRelease = threadOrder.tag;
    if (!releasesAreOrdered && lastAcquire != 0 && !threadOrder.isAfter(lastAcquire)) {
      leftToChance();
    }
    Release release = threadOrder.release();
    for (int i = 0; i < count; i++) {
      released.add(release);
    }
  }

  synchronized void acquire(ThreadOrder threadOrder, int count) {
    if (initial == 1) {
      Hooks.enter(semaphore, threadOrder);
    }
    if (initial != 0) {
      return;
    }
    acquiresAreOrdered &= lastAcquire == 0 || threadOrder.isAfter(lastAcquire);
    lastAcquire = threadOrder.tag;
    acquired += count;
    if (!releasesAreOrdered && acquired < released.size()) {
      leftToChance();
      return;
    }
    int needed = acquiresAreOrdered || !releasesAreOrdered ? acquired : count;
    released.subList(0, Math.min(needed, released.size())).forEach(threadOrder::acquire);
    threadOrder.renew();
    lastAcquire = threadOrder.tag;
  }

  private void leftToChance() {
    obstacles.accept(
        "a semaphore whose permits come from concurrent blocks, in an order schedule-dependent",
        Stacks.place());
  }
}
