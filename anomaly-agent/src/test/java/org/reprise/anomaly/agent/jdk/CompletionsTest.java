package org.reprise.anomaly.agent.jdk;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.reprise.anomaly.agent.jdk.Completions.Needs;
import org.reprise.anomaly.agent.jdk.Interleavings.Actor;

/**
 * A stage's function is after the futures that it needs and after the thread that adds it, and
 * after nothing else, in whichever order the steps of all threads happen. The steps are those of
 * the library: what it reads and changes between two calls of the hooks.
 */
class CompletionsTest {
  private static final String CONCURRENT = "a future that concurrent blocks complete";

  @Test
  void aCombiningFunctionIsAfterBothFuturesWhicheverThreadRunsIt() {
    int orders =
        Interleavings.all(
            all -> {
              Library library = new Library(all);
              Future one = new Future();
              Future two = new Future();
              Actor adder = all.actor("adder", all.first());
              Actor left = all.actor("left");
              Actor right = all.actor("right");
              Stage both = library.stage(one, two, Needs.ALL);
              both.function =
                  running -> {
                    assertThat(running.isAfter(left)).as("the first future").isTrue();
                    assertThat(running.isAfter(right)).as("the second future").isTrue();
                    assertThat(running.isAfter(adder)).as("who added the stage").isTrue();
                  };
              library.add(adder, both);
              all.now(adder);
              library.complete(left, one);
              library.complete(right, two);
              all.atEnd(
                  () -> {
                    assertThat(both.calls).isEqualTo(1);
                    assertThat(left.isAfter(right)).as("left waited for nobody").isFalse();
                    assertThat(right.isAfter(left)).as("right waited for nobody").isFalse();
                    assertThat(adder.isAfter(left)).as("the adder waited for nobody").isFalse();
                    assertThat(all.obstacles()).isEmpty();
                  });
            });
    assertThat(orders).isGreaterThan(100);
  }

  @Test
  void aStageThatIsAddedWhileItsFuturesBecomeCompleteIsAfterThem() {
    for (boolean isFirstDone : new boolean[] {true, false}) {
      Interleavings.all(
          all -> {
            Library library = new Library(all);
            Future one = new Future();
            Future two = new Future();
            Actor adder = all.actor("adder");
            Actor left = all.actor("left");
            Actor right = all.actor("right");
            library.complete(left, one);
            library.complete(right, two);
            all.now(isFirstDone ? left : right);
            Stage both = library.stage(one, two, Needs.ALL);
            both.function =
                running -> {
                  assertThat(running.isAfter(left)).as("the first future").isTrue();
                  assertThat(running.isAfter(right)).as("the second future").isTrue();
                  assertThat(running.isAfter(adder)).as("who added the stage").isTrue();
                };
            library.add(adder, both);
            all.atEnd(
                () -> {
                  assertThat(both.calls).isEqualTo(1);
                  assertThat(adder.isAfter(left)).as("nobody waited").isFalse();
                  assertThat(adder.isAfter(right)).as("nobody waited").isFalse();
                });
          });
    }
  }

  @Test
  void aStageOfAStageIsAfterTheFunctionBeforeIt() {
    Interleavings.all(
        all -> {
          Library library = new Library(all);
          Future one = new Future();
          Actor adder = all.actor("adder", all.first());
          Actor completer = all.actor("completer");
          Actor other = all.actor("other");
          int[] block = new int[1];
          Stage before = library.stage(one, null, Needs.ALL);
          before.function = running -> block[0] = running.threadOrder.tag;
          Stage after = library.stage(before.dependent, null, Needs.ALL);
          after.function =
              running -> {
                assertThat(running.threadOrder.isAfter(block[0]))
                    .as("the function before")
                    .isTrue();
                assertThat(running.isAfter(completer)).as("the first future").isTrue();
                assertThat(running.isAfter(other)).as("who added the stage").isTrue();
              };
          library.add(adder, before);
          all.now(adder);
          library.complete(completer, one);
          library.add(other, after);
          all.atEnd(() -> assertThat(after.calls).isEqualTo(1));
        });
  }

  @Test
  void aFutureThatOthersDecideAboutIsAfterThemForWhoWaitsButNotForWhoPassesItOn() {
    Interleavings.all(
        all -> {
          Library library = new Library(all);
          Future one = new Future();
          Future two = new Future();
          Actor left = all.actor("left");
          Actor right = all.actor("right");
          Actor waiter = all.actor("waiter");
          // As a relay of allOf, or a stage whose future ended with an exception.
          Stage relay = library.stage(one, two, Needs.ALL);
          one.dependents.add(relay);
          two.dependents.add(relay);
          library.complete(left, one);
          library.complete(right, two);
          library.join(
              waiter,
              relay.dependent,
              () -> {
                assertThat(waiter.isAfter(left)).isTrue();
                assertThat(waiter.isAfter(right)).isTrue();
              });
          all.atEnd(
              () -> {
                assertThat(left.isAfter(right)).as("left waited for nobody").isFalse();
                assertThat(right.isAfter(left)).as("right waited for nobody").isFalse();
                assertThat(all.obstacles()).isEmpty();
              });
        });
  }

  @Test
  void aStageThatNeedsOneOfTwoFuturesIsAfterWhoAddedItAndOneOfThem() {
    Interleavings.all(
        all -> {
          Library library = new Library(all);
          Future one = new Future();
          Future two = new Future();
          Actor adder = all.actor("adder", all.first());
          Actor left = all.actor("left");
          Actor right = all.actor("right");
          Stage either = library.stage(one, two, Needs.ONE);
          either.function =
              running -> {
                assertThat(running.isAfter(left) || running.isAfter(right)).isTrue();
                assertThat(running.isAfter(adder)).as("who added the stage").isTrue();
              };
          library.add(adder, either);
          all.now(adder);
          library.complete(left, one);
          library.complete(right, two);
          all.atEnd(() -> assertThat(either.calls).isEqualTo(1));
        });
  }

  @Test
  void aComposedFutureIsAfterTheFunctionAndTheFutureThatItReturned() {
    Interleavings.all(
        all -> {
          Library library = new Library(all);
          Future one = new Future();
          Future returned = new Future();
          Actor adder = all.actor("adder", all.first());
          Actor completer = all.actor("completer");
          Actor inner = all.actor("inner");
          Actor waiter = all.actor("waiter");
          int[] block = new int[1];
          Stage stage = library.stage(one, null, Needs.ALL);
          stage.function = running -> block[0] = running.threadOrder.tag;
          stage.returned = returned;
          library.add(adder, stage);
          all.now(adder);
          library.complete(completer, one);
          library.complete(inner, returned);
          library.join(
              waiter,
              stage.dependent,
              () -> {
                assertThat(waiter.threadOrder.isAfter(block[0])).as("the function").isTrue();
                assertThat(waiter.isAfter(completer)).as("the first future").isTrue();
                assertThat(waiter.isAfter(inner)).as("the one that was returned").isTrue();
              });
          all.atEnd(
              () -> {
                assertThat(inner.threadOrder.isAfter(block[0]))
                    .as("it waited for nobody")
                    .isFalse();
                assertThat(completer.isAfter(inner)).as("it waited for nobody").isFalse();
              });
        });
  }

  @Test
  void aFutureOfSeveralIsAfterAllOfThemAlsoWhereOneIsCompleteFromTheBeginning() {
    Interleavings.all(
        all -> {
          Library library = new Library(all);
          Future one = new Future();
          Future two = new Future();
          Actor left = all.actor("left");
          Actor right = all.actor("right");
          Actor waiter = all.actor("waiter");
          library.complete(left, one);
          library.complete(right, two);
          all.now(left);
          Stage relay = library.stage(one, two, Needs.ALL);
          Object[] parts = {one.real, two.real};
          library.completions.allOf(parts, relay.dependent.real);
          parts[1] = one.real; // the array is the program's
          two.dependents.add(relay);
          library.join(
              waiter,
              relay.dependent,
              () -> {
                assertThat(waiter.isAfter(left)).isTrue();
                assertThat(waiter.isAfter(right)).isTrue();
              });
        });
  }

  @Test
  void aCopyOfACompleteFutureIsAfterIt() {
    Interleavings.all(
        all -> {
          Library library = new Library(all);
          Future one = new Future();
          CompletableFuture<Integer> copy = new CompletableFuture<>();
          Actor left = all.actor("left");
          Actor waiter = all.actor("waiter");
          library.complete(left, one);
          waiter.when(
              one.real::isDone,
              () -> copy.complete(1),
              () -> library.completions.copied(waiter.threadOrder, one.real, copy),
              () -> library.completions.waited(waiter.threadOrder, copy),
              () -> assertThat(waiter.isAfter(left)).isTrue());
        });
  }

  @Test
  void concurrentBlocksThatCompleteOneFutureAreNamedWhicheverIsFirst() {
    Interleavings.all(
        all -> {
          Library library = new Library(all);
          Future one = new Future();
          library.complete(all.actor("left"), one);
          library.complete(all.actor("right"), one);
          all.atEnd(() -> assertThat(all.obstacles()).containsExactly(CONCURRENT));
        });
  }

  @Test
  void aStageThatSomebodyElseCompletesIsNamedWhicheverIsFirst() {
    Interleavings.all(
        all -> {
          Library library = new Library(all);
          Future one = new Future();
          Actor adder = all.actor("adder", all.first());
          Stage stage = library.stage(one, null, Needs.ALL);
          stage.function = running -> {};
          library.add(adder, stage);
          all.now(adder);
          library.complete(all.actor("left"), one);
          library.complete(all.actor("right"), stage.dependent);
          all.atEnd(() -> assertThat(all.obstacles()).contains(CONCURRENT));
        });
  }

  /** A completable future and what depends on it. */
  private static final class Future {
    final CompletableFuture<Integer> real = new CompletableFuture<>();
    final Deque<Stage> dependents = new ArrayDeque<>();

    boolean isDone() {
      return real.isDone();
    }
  }

  private static final class Stage {
    final Future source;
    final @Nullable Future second;
    final Needs needs;
    final Future dependent;
    boolean isClaimed;
    int calls;

    /** Checks where it runs; null for a relay. */
    @Nullable Consumer<Actor> function;

    /** What the function returns, where it composes. */
    @Nullable Future returned;

    Stage(Future source, @Nullable Future second, Needs needs, Future dependent) {
      this.dependent = dependent;
      this.source = source;
      this.second = second;
      this.needs = needs;
    }

    boolean isReady() {
      boolean isSecond = second != null && second.isDone();
      return needs == Needs.ONE
          ? source.isDone() || isSecond
          : source.isDone() && (second == null || isSecond);
    }

    @Nullable Object other() {
      return second == null ? null : second.real;
    }
  }

  /** What {@link CompletableFuture} does, step by step. */
  private static final class Library {
    final Completions completions;

    Library(Interleavings all) {
      this.completions = new Completions((what, place) -> all.obstacles().add(what));
    }

    Stage stage(Future source, @Nullable Future second, Needs needs) {
      return new Stage(source, second, needs, new Future());
    }

    /** The thread writes something, completes the future, and fires what depends on it. */
    void complete(Actor actor, Future future) {
      actor.then(
          () -> {
            actor.writes();
            completions.completed(actor.threadOrder, future.real, true);
          },
          () -> {
            future.real.complete(1);
            fireAll(actor, future);
          });
    }

    /** {@code postComplete}. */
    private void fireAll(Actor actor, Future future) {
      Stage stage = future.dependents.poll();
      if (stage != null) {
        actor.then(() -> fireAll(actor, future));
        fire(actor, stage);
      }
    }

    /** {@code tryFire}: what it reads may change after it was entered, and others fire it too. */
    private void fire(Actor actor, Stage stage) {
      completions.enterFire(
          actor.threadOrder,
          stage.needs,
          stage.source.real,
          stage.other(),
          stage.dependent.real,
          false);
      actor.then(
          () -> {
            if (!stage.isReady() || stage.dependent.isDone()) {
              completions.exit(actor.threadOrder, null);
            } else if (stage.function == null) {
              actor.then(() -> completions.exit(actor.threadOrder, null));
              completes(actor, stage);
            } else {
              actor.then(() -> claim(actor, stage));
            }
          });
    }

    private void claim(Actor actor, Stage stage) {
      if (stage.isClaimed) {
        completions.exit(actor.threadOrder, null);
      } else {
        stage.isClaimed = true;
        actor.then(() -> completions.exit(actor.threadOrder, null));
        call(actor, stage);
      }
    }

    private void call(Actor actor, Stage stage) {
      actor.then(
          () -> {
            completions.fires(actor.threadOrder);
            stage.calls++;
            if (stage.function != null) {
              stage.function.accept(actor);
            }
            if (stage.returned != null) {
              completions.composed(actor.threadOrder, stage.returned.real);
            }
          },
          () -> {
            Future returned = stage.returned;
            if (returned == null || returned.isDone()) {
              completes(actor, stage);
            } else {
              push(actor, returned, new Stage(returned, null, Needs.ALL, stage.dependent));
            }
          });
    }

    private void completes(Actor actor, Stage stage) {
      actor.then(
          () -> completions.completed(actor.threadOrder, stage.dependent.real, false),
          () -> {
            stage.dependent.real.complete(1);
            fireAll(actor, stage.dependent);
          });
    }

    /** {@code uniApplyStage}, or {@code biApplyStage}. */
    void add(Actor actor, Stage stage) {
      actor.then(
          () -> {
            actor.writes();
            completions.enterStage(
                actor.threadOrder, stage.source.real, stage.other(), stage.needs);
          },
          () -> completions.created(actor.threadOrder, stage.dependent.real),
          () -> {
            if (stage.isReady()) {
              stage.isClaimed = true;
              call(actor, stage);
            } else {
              push(actor, stage.source, stage);
              Future second = stage.second;
              if (second != null) {
                actor.then(() -> push(actor, second, stage));
              }
            }
          },
          () -> completions.exit(actor.threadOrder, stage.dependent.real));
    }

    /** {@code unipush}: one that is complete by then is fired here, too. */
    private void push(Actor actor, Future future, Stage stage) {
      actor.then(
          () -> {
            if (!future.isDone()) {
              future.dependents.add(stage);
            }
          },
          () -> {
            if (future.isDone()) {
              fire(actor, stage);
            }
          });
    }

    /** {@code join}. */
    void join(Actor actor, Future future, Runnable check) {
      actor.when(
          future::isDone,
          () -> {
            completions.waited(actor.threadOrder, future.real);
            check.run();
          });
    }
  }
}
