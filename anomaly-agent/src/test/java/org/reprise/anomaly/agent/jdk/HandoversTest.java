package org.reprise.anomaly.agent.jdk;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.reprise.anomaly.agent.block.Release;
import org.reprise.anomaly.agent.block.ThreadOrder;
import org.reprise.anomaly.agent.detect.history.Handover;
import org.reprise.anomaly.agent.detect.library.OpenCalls;
import org.reprise.anomaly.agent.detect.library.OpenCalls.Functions;
import org.reprise.anomaly.agent.jdk.Interleavings.Actor;

/**
 * What blocks hand to each other in an order that the schedule chooses: who has seen the effect of
 * a release has seen the block before it, and none after it, in whichever order the steps happen.
 * It is never taken for an order of every schedule.
 */
class HandoversTest {
  @Test
  void whoReadsWhatWasWrittenHasSeenTheWriterUpToThere() {
    Interleavings.all(
        all -> {
          Handover variable = new Handover();
          int[] value = new int[1];
          int[] later = new int[1];
          Actor writer = all.actor("writer");
          Actor reader = all.actor("reader");
          writer.then(
              writer::writes,
              () -> variable.release(writer.threadOrder, writer.threadOrder.release()),
              () -> value[0] = 1,
              () -> later[0] = writer.threadOrder.tag);
          int[] read = new int[1];
          reader.then(
              () -> read[0] = value[0],
              () -> reader.threadOrder.see(variable.before(reader.threadOrder)),
              () -> {
                if (read[0] == 1) {
                  assertThat(reader.threadOrder.hasSeen(writer.written())).isTrue();
                }
                assertThat(writer.written() != 0 && reader.isAfter(writer))
                    .as("on every schedule")
                    .isFalse();
              });
          all.atEnd(
              () -> {
                assertThat(reader.threadOrder.hasSeen(later[0])).as("after the write").isFalse();
                assertThat(writer.threadOrder.hasSeen(reader.threadOrder.tag)).isFalse();
              });
        });
  }

  /** As {@code getAndSet}: each step reads and writes. */
  @Test
  void whoGetsWhatAnotherSetHasSeenHim() {
    Interleavings.all(
        all -> {
          Handover variable = new Handover();
          AtomicReference<@Nullable Actor> box = new AtomicReference<>();
          List<Actor> both = List.of(all.actor("one"), all.actor("other"));
          for (Actor actor : both) {
            AtomicReference<@Nullable Actor> got = new AtomicReference<>();
            actor.then(
                actor::writes,
                () -> variable.release(actor.threadOrder, actor.threadOrder.release()),
                () -> got.set(box.getAndSet(actor)),
                () -> actor.threadOrder.see(variable.before(actor.threadOrder)),
                () -> {
                  Actor before = got.get();
                  if (before != null) {
                    assertThat(actor.threadOrder.hasSeen(before.written())).isTrue();
                    assertThat(actor.isAfter(before)).isFalse();
                  }
                });
          }
        });
  }

  @Test
  void whoHasALockIsOfferedWhatThoseDidWhoHadItBefore() {
    Interleavings.all(
        all -> {
          Handover lock = new Handover();
          boolean[] isHeld = new boolean[1];
          List<Actor> had = new ArrayList<>();
          List<Actor> actors = List.of(all.actor("one"), all.actor("two"), all.actor("three"));
          for (Actor actor : actors) {
            actor.then(
                () -> {
                  Release offered = lock.before(actor.threadOrder);
                  for (Actor other : actors) {
                    boolean isBefore = had.contains(other);
                    assertThat(
                            other != actor
                                && other.written() != 0
                                && actor.threadOrder.isOf(offered, other.written()))
                        .as("%s before %s", other.name, actor.name)
                        .isEqualTo(isBefore);
                  }
                },
                actor::writes,
                () -> lock.release(actor.threadOrder, actor.threadOrder.release()),
                () -> had.add(actor),
                () -> isHeld[0] = false);
            lock(actor, isHeld);
          }
        });
  }

  /**
   * As functions that {@code compute} runs for one key: they exclude each other, and a block may
   * end within one.
   */
  @Test
  void whoIsInAFunctionHasSeenThoseBeforeItAndNothingBehindThem() {
    Interleavings.all(
        all -> {
          Handover key = new Handover();
          Object map = new Object();
          boolean[] isHeld = new boolean[1];
          List<Actor> had = new ArrayList<>();
          List<Actor> actors = List.of(all.actor("one"), all.actor("two"));
          for (Actor actor : actors) {
            OpenCalls calls = new OpenCalls();
            ThreadOrder threadOrder = actor.threadOrder;
            int[] behind = new int[1];
            actor.then(
                () -> calls.begin(map, key, null, key, Functions.EXCLUSIVE, threadOrder),
                () -> lock(actor, isHeld),
                () -> {
                  threadOrder.release();
                  calls.stepped(threadOrder);
                  actor.writes();
                  for (Actor before : had) {
                    assertThat(calls.haveSeen(before.written(), null, threadOrder))
                        .as("%s before %s", before.name, actor.name)
                        .isTrue();
                    assertThat(threadOrder.hasSeen(before.written())).as("outside").isFalse();
                  }
                },
                () -> had.add(actor),
                () -> isHeld[0] = false,
                () -> {
                  assertThat(calls.end(map)).isTrue();
                  threadOrder.renew();
                  behind[0] = threadOrder.tag;
                });
            all.atEnd(
                () -> {
                  for (Actor other : actors) {
                    OpenCalls later = new OpenCalls();
                    later.begin(map, key, null, key, Functions.NONE, other.threadOrder);
                    assertThat(other != actor && later.haveSeen(behind[0], null, other.threadOrder))
                        .as("%s, behind its call, before %s", actor.name, other.name)
                        .isFalse();
                  }
                });
          }
        });
  }

  /**
   * As functions that {@code updateAndGet} runs, each again as long as others are quicker: what one
   * made comes before those that are given it; what all of them reach may be changed by two at
   * once.
   */
  @Test
  void whoIsInARepeatedFunctionHasSeenWhatOthersMadeAndNothingElse() {
    Interleavings.all(
        all -> {
          Handover variable = new Handover();
          Handover made = new Handover();
          Object atomic = new Object();
          Object given = new int[1];
          Object shared = new int[1];
          AtomicReference<@Nullable Actor> value = new AtomicReference<>();
          for (Actor actor : List.of(all.actor("one"), all.actor("two"))) {
            OpenCalls calls = new OpenCalls();
            ThreadOrder threadOrder = actor.threadOrder;
            AtomicReference<@Nullable Actor> seen = new AtomicReference<>();
            actor.then(
                () -> {
                  calls.begin(atomic, variable, null, made, Functions.REPEATED, threadOrder);
                  calls.give(atomic, new Object[] {shared}); // as what a lambda captured
                },
                () -> seen.set(value.get()),
                actor::writes,
                () -> {
                  Actor before = seen.get();
                  if (before != null) {
                    int block = before.written();
                    assertThat(calls.haveSeen(block, each -> each == given, threadOrder)).isTrue();
                    assertThat(calls.haveSeen(block, each -> each == shared, threadOrder))
                        .isFalse();
                    assertThat(calls.haveSeen(block, null, threadOrder)).as("static").isFalse();
                  }
                },
                () -> value.set(actor),
                () -> assertThat(calls.end(atomic)).isTrue());
          }
        });
  }

  /** Before all else the actor gets the lock, in one step. */
  private static void lock(Actor actor, boolean[] isHeld) {
    actor.when(
        () -> !isHeld[0],
        () -> {
          if (isHeld[0]) {
            lock(actor, isHeld); // another was quicker
          } else {
            isHeld[0] = true;
          }
        });
  }

  /** As a thread that sees what another has seen: by a wait, a join or another variable. */
  @Test
  void whatOneHasSeenGoesOnWithWhatItReleases() {
    Interleavings.all(
        all -> {
          Handover one = new Handover();
          Handover two = new Handover();
          boolean[] isSet = new boolean[2];
          Actor first = all.actor("first");
          Actor second = all.actor("second");
          Actor third = all.actor("third");
          first.then(
              first::writes,
              () -> one.release(first.threadOrder, first.threadOrder.release()),
              () -> isSet[0] = true);
          second.when(
              () -> isSet[0],
              () -> second.threadOrder.see(one.before(second.threadOrder)),
              () -> two.release(second.threadOrder, second.threadOrder.release()),
              () -> isSet[1] = true);
          third.when(
              () -> isSet[1],
              () -> third.threadOrder.see(two.before(third.threadOrder)),
              () -> {
                assertThat(third.threadOrder.hasSeen(first.written())).isTrue();
                assertThat(third.isAfter(first)).isFalse();
              });
        });
  }

  @Test
  void whatAForkedTaskHasSeenItsForkerHasSeenWhenItJoins() {
    Interleavings.all(
        all -> {
          Handover variable = new Handover();
          Actor writer = all.actor("writer");
          writer.then(
              writer::writes,
              () -> variable.release(writer.threadOrder, writer.threadOrder.release()));
          all.now(writer);
          ThreadOrder reader = all.actor("reader").threadOrder;
          reader.see(variable.before(reader));
          Release joined = reader.release();
          Actor third = all.actor("third");
          third.then(
              () -> third.threadOrder.acquire(joined),
              () -> {
                assertThat(third.threadOrder.hasSeen(writer.written())).isTrue();
                assertThat(third.isAfter(writer)).isFalse();
              });
        });
  }

  /** So many tasks that nobody could remember them all: the finding is too mild then, not wrong. */
  @Test
  void aHandoverBetweenManyTasksIsOneOfAllThatBeganSoFar() {
    Interleavings.all(
        all -> {
          Handover variable = new Handover();
          Actor early = all.actor("early");
          early.writes();
          for (int i = 0; i < 5000; i++) {
            ThreadOrder task = all.actor("task").threadOrder;
            variable.release(task, task.release());
          }
          Actor reader = all.actor("reader");
          reader.threadOrder.see(variable.before(reader.threadOrder));
          assertThat(reader.threadOrder.hasSeen(early.written())).isTrue();
          assertThat(reader.isAfter(early)).isFalse();
          Actor late = all.actor("late");
          late.writes();
          assertThat(reader.threadOrder.hasSeen(late.written())).isFalse();
        });
  }
}
