package org.reprise.anomaly.agent.jdk;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.reprise.anomaly.agent.block.ThreadOrder;
import org.reprise.anomaly.agent.detect.library.AwaitedWrite;
import org.reprise.anomaly.agent.detect.library.LockSets;
import org.reprise.anomaly.agent.detect.library.Publications;
import org.reprise.anomaly.agent.detect.library.Publications.Condition;
import org.reprise.anomaly.agent.jdk.Interleavings.Actor;
import org.reprise.anomaly.hooks.Waits;

/**
 * Who leaves a loop that waits for a variable comes after the writes that it needs on every
 * schedule, and after no other, in whichever order the steps happen.
 */
class PublicationsTest {
  private static final int IS_SET = 1; // the value is not 0
  private static final int AT_LEAST = 3;

  /** A variable, with those who write it and who waits for it. */
  private static final class Variable {
    final LockSets locks = new LockSets();
    final Publications publications = new Publications(locks);
    final Object lock = new Object();
    final Actor waiter;
    long value;

    Variable(Interleavings all) {
      this.waiter = all.actor("waiter");
    }

    /** The steps of a volatile write. */
    Runnable[] set(Actor writer, long to) {
      return new Runnable[] {
        writer::writes,
        () -> publications.publish(this, 1, value, to, new ArrayList<>(), writer.threadOrder),
        () -> value = to
      };
    }

    /** Writes in the lock, and wakes up who waits for the signal. */
    void setLocked(Actor writer, long to, Object held, @Nullable Object signal) {
      ThreadOrder order = writer.threadOrder;
      List<AwaitedWrite> open = new ArrayList<>();
      order.hold(locks.enter(0, held));
      writer.writes();
      publications.write(this, 1, value, to, open, order);
      value = to;
      if (signal != null) {
        Publications.wakesAll(signal, open);
      }
      Publications.giveBack(order.release(), open);
      order.hold(0);
    }

    /** Whether who waits comes after what the other wrote, as far as it has. */
    boolean isAfter(Actor writer) {
      return writer.written() != 0 && waiter.isAfter(writer);
    }

    /** Waits until the test holds; then it looks. */
    void await(int test, long other, Runnable then) {
      boolean isLocked = (test & Waits.IN_LOCK) != 0;
      waiter.when(
          () -> Waits.holds(test, value, other),
          () -> {
            ThreadOrder order = waiter.threadOrder;
            order.hold(isLocked ? locks.enter(0, lock) : 0);
            publications.left(this, 1, new Condition(test, other, isLocked ? lock : null), order);
            order.hold(0);
            then.run();
          });
    }
  }

  @Test
  void aWaitIsAfterTheOneWriteThatEndsIt() {
    Interleavings.all(
        all -> {
          Variable flag = new Variable(all);
          Actor writer = all.actor("writer");
          writer.then(flag.set(writer, 1));
          flag.await(IS_SET, 0, () -> assertThat(flag.isAfter(writer)).isTrue());
        });
  }

  @Test
  void aWaitThatNeedNotWaitIsAfterNothing() {
    Interleavings.all(
        all -> {
          Variable flag = new Variable(all);
          flag.value = 1;
          Actor writer = all.actor("writer");
          writer.then(flag.set(writer, 2));
          flag.await(IS_SET, 0, () -> {});
          all.atEnd(() -> assertThat(flag.isAfter(writer)).isFalse());
        });
  }

  @Test
  void ofOrderedWritesThoseCountThatEveryWaitNeeds() {
    Interleavings.all(
        all -> {
          Variable step = new Variable(all);
          Actor writer = all.actor("writer");
          int[] needed = new int[1];
          writer.then(step.set(writer, 3));
          writer.then(() -> needed[0] = writer.written());
          writer.then(step.set(writer, 2));
          writer.then(step.set(writer, 1));
          step.await(
              AT_LEAST, 2, () -> assertThat(step.waiter.threadOrder.isAfter(needed[0])).isTrue());
          all.atEnd(() -> assertThat(step.isAfter(writer)).as("the last").isFalse());
        });
  }

  @Test
  void ofWritesBesideEachOtherNoneCounts() {
    Interleavings.all(
        all -> {
          Variable flag = new Variable(all);
          Actor one = all.actor("one");
          Actor other = all.actor("other");
          one.then(flag.set(one, 1));
          other.then(flag.set(other, 1));
          flag.await(
              IS_SET, 0, () -> assertThat(flag.isAfter(one) && flag.isAfter(other)).isFalse());
        });
  }

  @Test
  void stepsThatAddTheSameCountIfAllAreNeeded() {
    for (int needed : List.of(1, 2)) {
      Interleavings.all(
          all -> {
            Variable sum = new Variable(all);
            List<Actor> both = List.of(all.actor("one"), all.actor("other"));
            for (Actor actor : both) {
              actor.then(() -> sum.setLocked(actor, sum.value + 1, sum.lock, sum.lock));
            }
            sum.await(
                AT_LEAST | Waits.IN_LOCK,
                needed,
                () -> assertThat(both.stream().allMatch(sum::isAfter)).isEqualTo(needed == 2));
          });
    }
  }

  @Test
  void stepsThatAddDifferentNumbersCountForNothing() {
    Interleavings.all(
        all -> {
          Variable sum = new Variable(all);
          Actor one = all.actor("one");
          Actor other = all.actor("other");
          one.then(() -> sum.setLocked(one, sum.value + 1, sum.lock, sum.lock));
          other.then(() -> sum.setLocked(other, sum.value + 2, sum.lock, sum.lock));
          sum.await(
              AT_LEAST | Waits.IN_LOCK,
              2,
              () -> assertThat(sum.isAfter(one)).as("2 alone would do").isFalse());
        });
  }

  @Test
  void inALockTheWriteMustHoldItAndWakeUpWhoWaits() {
    for (boolean isHeld : List.of(true, false)) {
      for (boolean isWoken : List.of(true, false)) {
        Interleavings.all(
            all -> {
              Variable flag = new Variable(all);
              Actor writer = all.actor("writer");
              Object held = isHeld ? flag.lock : new Object();
              Object signal = isWoken ? flag.lock : new Object();
              writer.then(() -> flag.setLocked(writer, 1, held, signal));
              flag.await(
                  IS_SET | Waits.IN_LOCK,
                  0,
                  () -> assertThat(flag.isAfter(writer)).isEqualTo(isHeld && isWoken));
            });
      }
    }
  }
}
