package org.reprise.anomaly.agent.jdk;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Exchanger;
import java.util.concurrent.Phaser;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.reprise.anomaly.agent.jdk.Interleavings.Actor;

/**
 * Who waited for others is after them, and after nobody else, in whichever order the steps happen
 * of which a call consists: the hook before it, what the library does, and the hook after it.
 */
class SynchronisersTest {
  @Test
  void whoWaitedForALatchIsAfterAllThatCountedDown() {
    Interleavings.all(
        all -> {
          Hooks hooks = new Hooks(all);
          CountDownLatch latch = new CountDownLatch(2);
          Actor left = all.actor("left");
          Actor right = all.actor("right");
          Actor waiter = all.actor("waiter");
          for (Actor counting : List.of(left, right)) {
            counting.then(() -> hooks.enter(counting, Point.COUNT_DOWN, latch), latch::countDown);
          }
          waiter.when(
              () -> latch.getCount() == 0,
              () -> {
                hooks.exit(waiter, Point.LATCH_AWAIT, latch, null, null);
                assertThat(waiter.isAfter(left)).isTrue();
                assertThat(waiter.isAfter(right)).isTrue();
              });
          all.atEnd(
              () -> {
                assertThat(left.isAfter(right)).isFalse();
                assertThat(all.obstacles()).isEmpty();
              });
        });
  }

  @Test
  void aWaitThatWasInterruptedOrGaveUpOrdersNothing() {
    Interleavings.all(
        all -> {
          Hooks hooks = new Hooks(all);
          CountDownLatch latch = new CountDownLatch(2);
          Semaphore semaphore = new Semaphore(0);
          Actor left = all.actor("left");
          Actor waiter = all.actor("waiter");
          left.then(
              () -> hooks.enter(left, Point.COUNT_DOWN, latch),
              latch::countDown,
              () -> hooks.enter(left, Point.SEMAPHORE_RELEASE, semaphore),
              semaphore::release);
          Exception interrupted = new InterruptedException();
          waiter.then(
              () -> hooks.exit(waiter, Point.LATCH_AWAIT, latch, null, interrupted),
              () -> hooks.exit(waiter, Point.LATCH_AWAIT, latch, null, false),
              () -> hooks.exit(waiter, Point.SEMAPHORE_ACQUIRE, semaphore, null, interrupted));
          all.atEnd(() -> assertThat(waiter.threadOrder.isAfter(hooks.firstBlock(left))).isFalse());
        });
  }

  @Test
  void whoMeetsAtABarrierIsAfterWhatOthersDidBeforeAndNotAfterWhatTheyDoNext() {
    Interleavings.all(
        all -> {
          Hooks hooks = new Hooks(all);
          CyclicBarrier barrier = new CyclicBarrier(2);
          int[] arrived = new int[1];
          Actor left = all.actor("left");
          Actor right = all.actor("right");
          for (Actor one : List.of(left, right)) {
            Actor other = one == left ? right : left;
            one.then(
                () -> hooks.enter(one, Point.BARRIER, barrier),
                () -> {
                  arrived[0]++;
                  one.when(
                      () -> arrived[0] >= 2,
                      () -> {
                        hooks.exit(one, Point.BARRIER, barrier, null, null);
                        assertThat(one.threadOrder.isAfter(hooks.firstBlock(other))).isTrue();
                      },
                      () -> {
                        one.writes();
                        if (other.written() != hooks.firstBlock(other)) {
                          assertThat(one.isAfter(other)).isFalse();
                        }
                      });
                });
          }
        });
  }

  @Test
  void whoWaitedForAPhaseIsAfterThoseWhoArrivedInItAndNotInLaterOnes() {
    Interleavings.all(
        all -> {
          Hooks hooks = new Hooks(all);
          Phaser phaser = new Phaser(2);
          int[] late = new int[1];
          Actor left = all.actor("left");
          Actor right = all.actor("right");
          Actor waiter = all.actor("waiter");
          left.then(() -> hooks.enter(left, Point.PHASER_MEET, phaser), phaser::arrive);
          right.then(
              () -> hooks.enter(right, Point.PHASER_MEET, phaser),
              phaser::arrive,
              () -> {
                right.when(
                    () -> phaser.getPhase() > 0,
                    () -> {
                      hooks.exit(right, Point.PHASER_MEET, phaser, null, null);
                      assertThat(right.isAfter(left)).isTrue();
                    },
                    () -> {
                      late[0] = right.threadOrder.tag;
                      hooks.enter(right, Point.PHASER_ARRIVE, phaser);
                    },
                    () -> {
                      phaser.arrive();
                      phaser.arrive(); // for the other party, who did so in the same way
                    });
              });
          waiter.when(
              () -> phaser.getPhase() != 0,
              () -> {
                hooks.exit(waiter, Point.PHASER_AWAIT, phaser, 0, null);
                assertThat(waiter.isAfter(left)).isTrue();
                assertThat(waiter.threadOrder.isAfter(hooks.firstBlock(right))).isTrue();
              });
          all.atEnd(
              () -> assertThat(waiter.threadOrder.isAfter(late[0])).as("a later phase").isFalse());
        });
  }

  @Test
  void phasersOfATreeAdvanceTogether() {
    Interleavings.all(
        all -> {
          Hooks hooks = new Hooks(all);
          Phaser root = new Phaser();
          Phaser one = new Phaser(root, 1);
          Phaser two = new Phaser(root, 1);
          Actor left = all.actor("left");
          Actor right = all.actor("right");
          left.then(
              () -> hooks.enter(left, Point.PHASER_MEET, one),
              one::arrive,
              () ->
                  left.when(
                      () -> root.getPhase() > 0,
                      () -> {
                        hooks.exit(left, Point.PHASER_MEET, one, null, null);
                        assertThat(left.isAfter(right)).isTrue();
                      }));
          right.then(() -> hooks.enter(right, Point.PHASER_ARRIVE, two), two::arrive);
        });
  }

  @Test
  void whoAcquiresIsAfterTheReleaseWithoutWhichThereWouldBeNoPermit() {
    Interleavings.all(
        all -> {
          Hooks hooks = new Hooks(all);
          Semaphore semaphore = new Semaphore(0);
          int[] late = new int[1];
          Actor giver = all.actor("giver");
          Actor taker = all.actor("taker");
          giver.then(
              () -> hooks.enter(giver, Point.SEMAPHORE_RELEASE, semaphore),
              semaphore::release,
              () -> {
                late[0] = giver.threadOrder.tag;
                hooks.synchronisers.enter(
                    giver.threadOrder, Point.SEMAPHORE_RELEASE, semaphore, null);
              },
              semaphore::release);
          taker.then(
              () -> hooks.enter(taker, Point.SEMAPHORE_ACQUIRE, semaphore),
              () ->
                  taker.when(
                      () -> semaphore.availablePermits() > 0,
                      () -> assertThat(semaphore.tryAcquire()).isTrue(),
                      () -> {
                        hooks.exit(taker, Point.SEMAPHORE_ACQUIRE, semaphore, null, null);
                        assertThat(taker.isAfter(giver)).isTrue();
                        assertThat(late[0] != 0 && taker.threadOrder.isAfter(late[0])).isFalse();
                      }));
        });
  }

  @Test
  void whoExchangesIsAfterTheOther() {
    Interleavings.all(
        all -> {
          Hooks hooks = new Hooks(all);
          Exchanger<Object> exchanger = new Exchanger<>();
          List<Actor> offered = new ArrayList<>();
          Actor left = all.actor("left");
          Actor right = all.actor("right");
          for (Actor one : List.of(left, right)) {
            Actor other = one == left ? right : left;
            one.then(
                () -> {
                  one.writes();
                  hooks.synchronisers.enter(one.threadOrder, Point.EXCHANGE, exchanger, one);
                },
                () -> {
                  offered.add(one);
                  one.when(
                      () -> offered.size() == 2,
                      () -> {
                        hooks.exit(one, Point.EXCHANGE, exchanger, one, other);
                        assertThat(one.isAfter(other)).isTrue();
                      });
                });
          }
        });
  }

  /** A number, or null, may be the same object on both sides. */
  @Test
  void whoExchangesTheSameObjectIsAfterTheOtherAllTheSame() {
    for (Object element : new @Nullable Object[] {"same", null}) {
      Interleavings.all(
          all -> {
            Hooks hooks = new Hooks(all);
            Exchanger<Object> exchanger = new Exchanger<>();
            int[] offered = new int[1];
            Actor left = all.actor("left");
            Actor right = all.actor("right");
            for (Actor one : List.of(left, right)) {
              Actor other = one == left ? right : left;
              one.then(
                  () -> {
                    one.writes();
                    hooks.synchronisers.enter(one.threadOrder, Point.EXCHANGE, exchanger, element);
                  },
                  () -> {
                    offered[0]++;
                    one.when(
                        () -> offered[0] == 2,
                        () -> {
                          hooks.exit(one, Point.EXCHANGE, exchanger, element, element);
                          assertThat(one.isAfter(other)).isTrue();
                        });
                  });
            }
            all.atEnd(() -> assertThat(all.obstacles()).isEmpty());
          });
    }
  }

  @Test
  void anExchangeThatGaveUpOrdersNothingAndAThirdBlockPreventsValidation() {
    Interleavings.all(
        all -> {
          Hooks hooks = new Hooks(all);
          Exchanger<Object> exchanger = new Exchanger<>();
          int[] offered = new int[1];
          Actor late = all.actor("late");
          Actor left = all.actor("left");
          Actor right = all.actor("right");
          late.then(
              () -> {
                late.writes();
                hooks.synchronisers.enter(late.threadOrder, Point.EXCHANGE, exchanger, "same");
              },
              () -> hooks.exit(late, Point.EXCHANGE, exchanger, "same", new TimeoutException()),
              () -> offered[0]++);
          for (Actor one : List.of(left, right)) {
            Actor other = one == left ? right : left;
            one.then(
                () -> {
                  one.writes();
                  hooks.synchronisers.enter(one.threadOrder, Point.EXCHANGE, exchanger, "same");
                },
                () -> {
                  offered[0]++;
                  one.when(
                      () -> offered[0] == 3,
                      () -> {
                        hooks.exit(one, Point.EXCHANGE, exchanger, "same", "same");
                        assertThat(one.isAfter(other)).isTrue();
                        assertThat(one.isAfter(late)).as("who gave up").isFalse();
                      });
                });
          }
          all.atEnd(
              () ->
                  assertThat(all.obstacles())
                      .containsExactly("an exchanger at which more than two blocks meet"));
        });
  }

  /** The hooks of the synchronisers, as the library's methods call them. */
  private static final class Hooks {
    final Synchronisers synchronisers;
    private final Map<Actor, Integer> first = new HashMap<>();

    Hooks(Interleavings all) {
      this.synchronisers = new Synchronisers((what, place) -> all.obstacles().add(what));
    }

    /** The actor writes something, and calls the method. */
    void enter(Actor actor, Point point, Object self) {
      actor.writes();
      first.putIfAbsent(actor, actor.written());
      synchronisers.enter(actor.threadOrder, point, self, null);
    }

    int firstBlock(Actor actor) {
      return first.getOrDefault(actor, 0);
    }

    void exit(
        Actor actor, Point point, Object self, @Nullable Object argument, @Nullable Object result) {
      synchronisers.exit(actor.threadOrder, point, self, argument, result);
    }
  }
}
