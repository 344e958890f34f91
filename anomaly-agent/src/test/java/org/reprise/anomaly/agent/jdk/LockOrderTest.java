package org.reprise.anomaly.agent.jdk;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.reprise.anomaly.agent.detect.library.LockOrder;
import org.reprise.anomaly.agent.detect.library.LockSets;
import org.reprise.anomaly.agent.jdk.Interleavings.Actor;

/**
 * Concurrent blocks that take locks in a cycle are found in whichever order they come, and no
 * others.
 */
class LockOrderTest {
  private static final String LEFT = "left";
  private static final String RIGHT = "right";
  private static final String THIRD = "third";

  /** Locks, and what was said about how they are taken. */
  private static final class Locks {
    final LockSets sets = new LockSets();
    final LockOrder order = new LockOrder(sets, () -> "");
    final List<String> found = new ArrayList<>();

    /** Takes one lock in the other, and gives them back; nobody comes between. */
    void nest(Actor actor, String... locks) {
      for (String lock : locks) {
        boolean isShared = lock.startsWith("shared ");
        String name = lock.replace("shared ", "").intern();
        int held = actor.threadOrder.locks();
        order.takes(held, sets.number(name, isShared), actor.threadOrder).ifPresent(found::add);
        actor.threadOrder.hold(sets.enter(held, name, isShared));
      }
      actor.threadOrder.hold(0);
    }
  }

  private static void check(boolean isCycle, String[]... nests) {
    int runs =
        Interleavings.all(
            all -> {
              Locks locks = new Locks();
              for (String[] nest : nests) {
                Actor actor = all.actor(String.join(" ", nest));
                actor.then(() -> locks.nest(actor, nest), () -> locks.nest(actor, nest));
              }
              all.atEnd(() -> assertThat(!locks.found.isEmpty()).isEqualTo(isCycle));
            });
    assertThat(runs).isGreaterThan(1);
  }

  @Test
  void twoLocksTakenInTwoOrdersAreACycle() {
    check(true, new String[] {LEFT, RIGHT}, new String[] {RIGHT, LEFT});
  }

  @Test
  void locksTakenInOneOrderAreNone() {
    check(false, new String[] {LEFT, RIGHT, THIRD}, new String[] {LEFT, RIGHT, THIRD});
    check(false, new String[] {LEFT, RIGHT}, new String[] {RIGHT, THIRD});
  }

  @Test
  void threeLocksInACircleAreACycle() {
    check(
        true, new String[] {LEFT, RIGHT}, new String[] {RIGHT, THIRD}, new String[] {THIRD, LEFT});
  }

  @Test
  void aLockAroundAllOfThemKeepsThemApart() {
    check(false, new String[] {THIRD, LEFT, RIGHT}, new String[] {THIRD, RIGHT, LEFT});
  }

  @Test
  void whoReadsDoesNotWaitForWhoReads() {
    check(
        false,
        new String[] {"shared " + LEFT, "shared " + RIGHT},
        new String[] {"shared " + RIGHT, "shared " + LEFT});
    check(true, new String[] {"shared " + LEFT, RIGHT}, new String[] {"shared " + RIGHT, LEFT});
  }

  @Test
  void oneBlockAloneIsNoCycle() {
    check(false, new String[] {LEFT, RIGHT, LEFT}, new String[] {LEFT, RIGHT, LEFT});
    Interleavings.all(
        all -> {
          Locks locks = new Locks();
          Actor actor = all.actor("alone");
          actor.then(() -> locks.nest(actor, LEFT, RIGHT), () -> locks.nest(actor, RIGHT, LEFT));
          all.atEnd(() -> assertThat(locks.found).isEmpty());
        });
  }
}
