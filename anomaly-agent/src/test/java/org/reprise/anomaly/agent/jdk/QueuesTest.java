package org.reprise.anomaly.agent.jdk;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.reprise.anomaly.agent.detect.library.HandOff;
import org.reprise.anomaly.agent.jdk.Interleavings.Actor;

/**
 * Who takes an element is after who put it, and after nobody else, in whichever order the steps
 * happen of which a call consists: the hook before it, what the queue does, and the hook after it.
 */
class QueuesTest {
  private static final List<Supplier<Queue<Object>>> QUEUES =
      List.of(
          () -> new ArrayBlockingQueue<>(2),
          LinkedBlockingQueue::new,
          LinkedBlockingDeque::new,
          LinkedTransferQueue::new,
          ConcurrentLinkedQueue::new,
          ConcurrentLinkedDeque::new,
          () -> new PriorityBlockingQueue<>(2, Comparator.comparingInt(Object::hashCode)));

  @Test
  void whoTakesAnElementIsAfterWhoPutItAndAfterNobodyElse() {
    for (Supplier<Queue<Object>> queues : QUEUES) {
      Interleavings.all(
          all -> {
            Hooked queue = new Hooked(queues.get());
            Actor left = all.actor("left");
            Actor right = all.actor("right");
            Actor taker = all.actor("taker");
            left.then(queue.put(left, left));
            right.then(queue.put(right, right));
            queue.take(
                taker,
                element -> {
                  Actor giver = (Actor) element;
                  Actor other = giver == left ? right : left;
                  assertThat(taker.isAfter(giver)).as("who put it").isTrue();
                  assertThat(isAfter(taker, other.written())).as("who did not").isFalse();
                });
            all.atEnd(() -> assertThat(left.threadOrder.isAfter(taker.threadOrder.tag)).isFalse());
          });
    }
  }

  @Test
  void twoWhoTakeAreEachAfterThePutOfTheirOwn() {
    Interleavings.all(
        all -> {
          Hooked queue = new Hooked(new LinkedBlockingQueue<>());
          Object first = new Object();
          Object second = new Object();
          int[] blocks = new int[2];
          Actor giver = all.actor("giver");
          giver.then(queue.put(giver, second));
          giver.then(() -> blocks[1] = giver.threadOrder.tag);
          giver.then(queue.put(giver, first));
          giver.then(() -> blocks[0] = giver.threadOrder.tag);
          for (Actor taker : List.of(all.actor("one"), all.actor("other"))) {
            queue.take(
                taker,
                element -> {
                  assertThat(isAfter(taker, blocks[0])).isTrue();
                  assertThat(isAfter(taker, blocks[1])).isEqualTo(element == second);
                });
          }
        });
  }

  /** As {@code offer} to a full queue, and to one where nobody waits. */
  @Test
  void aPutThatWasRefusedOrdersNothing() {
    for (Queue<Object> refusing :
        List.<Queue<Object>>of(new SynchronousQueue<>(), new ArrayBlockingQueue<>(1))) {
      refusing.offer("full");
      Interleavings.all(
          all -> {
            Hooked queue = new Hooked(new LinkedBlockingQueue<>());
            Object element = new Object();
            Actor refused = all.actor("refused");
            Actor giver = all.actor("giver");
            Actor taker = all.actor("taker");
            int[] ended = new int[1];
            refused.then(() -> ended[0]++);
            refused.then(queue.put(refused, element, refusing));
            giver.then(() -> ended[0]++);
            giver.then(queue.put(giver, element));
            queue.take(
                taker,
                taken -> {
                  assertThat(taker.isAfter(giver)).isTrue();
                  assertThat(taker.isAfter(refused)).as("who was refused").isFalse();
                });
            taker.when(() -> ended[0] == 2);
          });
    }
  }

  @Test
  void aPutThatThrewAnExceptionOrdersNothing() {
    Interleavings.all(
        all -> {
          Hooked queue = new Hooked(new LinkedBlockingQueue<>());
          Object element = new Object();
          Actor giver = all.actor("giver");
          Actor taker = all.actor("taker");
          int[] second = new int[1];
          giver.then(queue.put(giver, element));
          giver.then(
              () -> queue.handOff.put(element, giver.threadOrder), // and no hook after it
              () -> second[0] = giver.threadOrder.tag);
          queue.take(taker, taken -> assertThat(isAfter(taker, second[0])).isTrue());
        });
  }

  /** Whose it was depends on the schedule, until all are taken. */
  @Test
  void whoTakesAnElementThatTwoPutIsAfterBothWhenItHasBoth() {
    Interleavings.all(
        all -> {
          Hooked queue = new Hooked(new LinkedBlockingQueue<>());
          Object element = new Object();
          Actor left = all.actor("left");
          Actor right = all.actor("right");
          Actor taker = all.actor("taker");
          left.then(queue.put(left, element));
          right.then(queue.put(right, element));
          queue.take(
              taker,
              once -> {
                for (Actor giver : List.of(left, right)) {
                  assertThat(isAfter(taker, giver.written()) && queue.putters.get(0) != giver)
                      .as("who was not the first")
                      .isFalse();
                }
                queue.take(
                    taker,
                    twice -> {
                      assertThat(taker.isAfter(left)).isTrue();
                      assertThat(taker.isAfter(right)).isTrue();
                    });
              });
        });
  }

  @Test
  void whoTakesWhatOnePutTwiceIsNotAfterTheSecondPutBeforeItsTime() {
    Interleavings.all(
        all -> {
          Hooked queue = new Hooked(new LinkedBlockingQueue<>());
          Object element = new Object();
          int[] second = new int[1];
          Actor giver = all.actor("giver");
          Actor taker = all.actor("taker");
          giver.then(queue.put(giver, element));
          giver.then(() -> second[0] = giver.threadOrder.tag);
          giver.then(queue.put(giver, element));
          queue.take(
              taker,
              once -> {
                assertThat(isAfter(taker, second[0])).isFalse();
                queue.take(taker, twice -> assertThat(isAfter(taker, second[0])).isTrue());
              });
        });
  }

  @Test
  void whoHasSeenAnElementIsAfterItsPutAndSoIsWhoTakesIt() {
    Interleavings.all(
        all -> {
          Hooked queue = new Hooked(new ConcurrentLinkedQueue<>());
          Actor giver = all.actor("giver");
          Actor watcher = all.actor("watcher");
          Actor taker = all.actor("taker");
          giver.then(queue.put(giver, giver));
          watcher.when(
              () -> !queue.queue.isEmpty(),
              () -> {
                queue.handOff.see(giver, watcher.threadOrder);
                assertThat(watcher.isAfter(giver)).isTrue();
                queue.take(taker, taken -> assertThat(taker.isAfter(giver)).isTrue());
              });
        });
  }

  @Test
  void whoTakesOneOfManyThatWerePutTogetherIsAfterThatPut() {
    Interleavings.all(
        all -> {
          Hooked queue = new Hooked(new LinkedBlockingQueue<>());
          List<Object> elements = List.of(new Object(), new Object());
          Actor giver = all.actor("giver");
          Actor other = all.actor("other");
          Actor taker = all.actor("taker");
          giver.then(
              () -> {
                giver.writes();
                queue.handOff.putAll(elements.toArray(), giver.threadOrder);
              },
              () -> queue.queue.add(elements.get(0)),
              () -> queue.queue.add(elements.get(1)));
          other.then(queue.put(other, other));
          queue.take(
              taker,
              taken -> {
                Actor by = elements.contains(taken) ? giver : other;
                assertThat(taker.isAfter(by)).isTrue();
                assertThat(isAfter(taker, (by == giver ? other : giver).written())).isFalse();
              });
        });
  }

  /** The documentation promises nothing to who puts, be it that it waits until it was taken. */
  @Test
  void whoTransfersAnElementIsNotAfterWhoTookIt() {
    Interleavings.all(
        all -> {
          Hooked queue = new Hooked(new LinkedTransferQueue<>());
          Actor giver = all.actor("giver");
          Actor taker = all.actor("taker");
          giver.then(
              () -> {
                giver.writes();
                queue.handOff.put(giver, giver.threadOrder);
              },
              () -> queue.queue.add(giver),
              () ->
                  giver.when(
                      queue.queue::isEmpty, () -> queue.handOff.returned(true, giver.threadOrder)));
          queue.take(taker, taken -> assertThat(taker.isAfter(giver)).isTrue());
          taker.then(taker::writes);
          all.atEnd(() -> assertThat(giver.isAfter(taker)).isFalse());
        });
  }

  private static boolean isAfter(Actor actor, int block) {
    return block != 0 && actor.threadOrder.isAfter(block);
  }

  /** A queue, and what is known of it. */
  private static final class Hooked {
    final Queue<Object> queue;
    final HandOff handOff = new HandOff();

    /** Who put something, in the order in which it came. */
    final List<Actor> putters = new ArrayList<>();

    Hooked(Queue<Object> queue) {
      this.queue = queue;
    }

    Runnable[] put(Actor actor, Object element) {
      return put(actor, element, queue);
    }

    /** The steps of a put, where the queue that is asked may be another one. */
    Runnable[] put(Actor actor, Object element, Queue<Object> asked) {
      boolean[] isAccepted = new boolean[1];
      return new Runnable[] {
        () -> {
          actor.writes();
          handOff.put(element, actor.threadOrder);
        },
        () -> {
          isAccepted[0] = asked.offer(element);
          putters.add(actor);
        },
        () -> handOff.returned(isAccepted[0], actor.threadOrder)
      };
    }

    /** The actor waits for an element, which others may take from under its nose. */
    void take(Actor actor, Consumer<Object> check) {
      actor.when(
          () -> !queue.isEmpty(),
          () -> {
            Object element = queue.poll();
            if (element == null) {
              take(actor, check);
            } else {
              actor.then(
                  () -> {
                    handOff.take(element, actor.threadOrder);
                    check.accept(element);
                  });
            }
          });
    }
  }
}
