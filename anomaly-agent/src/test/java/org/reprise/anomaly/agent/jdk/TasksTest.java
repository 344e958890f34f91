package org.reprise.anomaly.agent.jdk;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountedCompleter;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RecursiveAction;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.reprise.anomaly.agent.instrument.program.Scope;
import org.reprise.anomaly.agent.jdk.Interleavings.Actor;
import org.reprise.anomaly.agent.report.Ending;

/**
 * Who waited for a task is after what it did, and after nothing else, in whichever order the steps
 * of both happen: the hooks, and what the library does between them.
 */
class TasksTest {
  @Test
  void whoJoinsATaskIsAfterItAndNotAfterWhatItsThreadDoesThen() {
    Interleavings.all(
        all -> {
          BlockTracker tracker = tracker(all);
          RecursiveAction task = action();
          Actor worker = all.actor("worker");
          Actor waiter = all.actor("waiter");
          tracker.enter(Point.FORK.ordinal(), task, null);
          int[] blocks = new int[2];
          worker.then(
              () -> {
                tracker.enter(Point.EXECUTE.ordinal(), task, null);
                blocks[0] = worker.threadOrder.tag;
              },
              () -> tracker.enter(Point.DONE.ordinal(), task, null),
              task::quietlyComplete,
              () -> {
                tracker.exit(true, Point.EXECUTE.ordinal(), task, null, null);
                blocks[1] = worker.threadOrder.tag;
              });
          waiter.when(
              task::isDone,
              () -> {
                tracker.exit(false, Point.JOIN.ordinal(), task, null, null);
                assertThat(waiter.threadOrder.isAfter(blocks[0])).isTrue();
              });
          all.atEnd(() -> assertThat(waiter.threadOrder.isAfter(blocks[1])).isFalse());
        });
  }

  @Test
  void whoJoinsATaskThatSomebodyElseCompletedIsAfterThatOneOnly() {
    Interleavings.all(
        all -> {
          BlockTracker tracker = tracker(all);
          RecursiveAction task = action();
          Actor worker = all.actor("worker");
          Actor other = all.actor("other");
          Actor waiter = all.actor("waiter");
          tracker.enter(Point.FORK.ordinal(), task, null);
          int[] blocks = new int[2];
          worker.then(
              () -> {
                tracker.enter(Point.EXECUTE.ordinal(), task, null);
                blocks[0] = worker.threadOrder.tag;
              });
          other.then(
              () -> {
                other.writes();
                tracker.enter(Point.DONE.ordinal(), task, null);
              },
              task::quietlyComplete,
              () -> {
                blocks[1] = other.threadOrder.tag;
              });
          waiter.when(
              task::isDone,
              () -> {
                tracker.exit(false, Point.JOIN.ordinal(), task, null, null);
                assertThat(waiter.isAfter(other)).as("who completed it").isTrue();
              });
          all.atEnd(
              () -> {
                assertThat(waiter.threadOrder.isAfter(blocks[0])).as("it still runs").isFalse();
                assertThat(waiter.threadOrder.isAfter(blocks[1])).as("goes on beside").isFalse();
              });
        });
  }

  @Test
  void whoGetsTheResultOfAFutureIsAfterWhoRanIt() {
    Interleavings.all(
        all -> {
          BlockTracker tracker = tracker(all);
          FutureTask<Integer> task = new FutureTask<>(() -> 1);
          Actor runner = all.actor("runner");
          Actor waiter = all.actor("waiter");
          int[] late = new int[1];
          runner.then(
              () -> {
                runner.writes();
                tracker.enter(Point.FUTURE_DONE.ordinal(), task, 1);
              },
              task,
              () -> late[0] = runner.threadOrder.tag);
          waiter.when(
              task::isDone,
              () -> {
                tracker.exit(false, Point.FUTURE_GET.ordinal(), task, null, 1);
                assertThat(waiter.isAfter(runner)).isTrue();
              });
          all.atEnd(() -> assertThat(waiter.threadOrder.isAfter(late[0])).isFalse());
        });
  }

  @Test
  void whoEndsLastAmongTheChildrenOfACompleterIsAfterAllOfThem() {
    for (Point point : List.of(Point.COMPLETE, Point.PROPAGATE, Point.FIRST_COMPLETE)) {
      Interleavings.all(
          all -> {
            BlockTracker tracker = tracker(all);
            Completer root = new Completer(null);
            root.setPendingCount(1);
            Actor left = all.actor("left");
            Actor right = all.actor("right");
            for (Actor one : List.of(left, right)) {
              Actor other = one == left ? right : left;
              Completer child = new Completer(root);
              one.then(
                  () -> {
                    one.writes();
                    tracker.enter(point.ordinal(), child, null);
                    if (point == Point.COMPLETE) {
                      tracker.complete(child, child); // the library calls its onCompletion
                    } else if (point == Point.FIRST_COMPLETE) {
                      tracker.exit(false, point.ordinal(), child, null, child);
                      tracker.enter(point.ordinal(), root, null); // nextComplete
                    }
                  },
                  () -> {
                    if (root.decrementPendingCountUnlessZero() == 0) {
                      one.then(
                          () -> {
                            if (point == Point.FIRST_COMPLETE) {
                              tracker.exit(false, point.ordinal(), root, null, root);
                            } else {
                              tracker.complete(root, child);
                            }
                            assertThat(one.isAfter(other)).as("the other child").isTrue();
                          });
                    }
                  });
            }
            all.atEnd(() -> assertThat(left.isAfter(right) && right.isAfter(left)).isFalse());
          });
    }
  }

  @Test
  void aThreadIsAfterWhoStartedItAndBeforeWhoJoinedIt() {
    Interleavings.all(
        all -> {
          BlockTracker tracker = tracker(all);
          Thread thread = new Thread(() -> {}); // never alive, as one that has ended
          boolean[] hasEnded = new boolean[1];
          Actor starter = all.actor("starter");
          Actor joiner = all.actor("joiner");
          int[] blocks = new int[2];
          starter.then(
              () -> {
                starter.writes();
                tracker.enter(Point.THREAD_START.ordinal(), thread, null);
              },
              () -> {
                Actor started = all.actor("started", requireNonNull(tracker.forkOf(thread)));
                started.then(
                    () -> {
                      blocks[0] = started.threadOrder.tag;
                      assertThat(started.isAfter(starter)).isTrue();
                    },
                    () -> hasEnded[0] = true);
                all.atEnd(() -> assertThat(started.threadOrder.isAfter(blocks[1])).isFalse());
              },
              () -> blocks[1] = starter.threadOrder.tag);
          joiner.when(
              () -> hasEnded[0],
              () -> {
                tracker.exit(false, Point.THREAD_JOIN.ordinal(), thread, null, null);
                assertThat(joiner.threadOrder.isAfter(blocks[0])).isTrue();
              });
          all.atEnd(() -> assertThat(starter.threadOrder.isAfter(blocks[0])).isFalse());
        });
  }

  @Test
  void aTaskInAPoolIsAfterWhoHandedItOverAndBeforeWhoGetsItsResult() {
    Interleavings.all(
        all -> {
          BlockTracker tracker = tracker(all);
          ThreadPoolExecutor pool = pool();
          Actor submitter = all.actor("submitter");
          Actor worker = all.actor("worker");
          Actor waiter = all.actor("waiter");
          int[] blocks = new int[2];
          FutureTask<Integer> task =
              new FutureTask<>(
                  () -> {
                    blocks[0] = worker.threadOrder.tag;
                    assertThat(worker.isAfter(submitter)).isTrue();
                    return 1;
                  }) {
                @Override
                protected void set(Integer value) {
                  tracker.enter(Point.FUTURE_DONE.ordinal(), this, value);
                  super.set(value);
                }
              };
          submitter.then(
              () -> {
                submitter.writes();
                tracker.enter(Point.EXECUTOR_EXECUTE.ordinal(), pool, task);
              },
              () -> pool.getQueue().add(task),
              () -> blocks[1] = submitter.threadOrder.tag);
          worker.when(
              () -> !pool.getQueue().isEmpty(),
              () -> tracker.run(requireNonNull(pool.getQueue().poll())),
              worker::writes);
          waiter.when(
              task::isDone,
              () -> {
                tracker.exit(false, Point.FUTURE_GET.ordinal(), task, null, 1);
                assertThat(waiter.threadOrder.isAfter(blocks[0])).as("the task").isTrue();
              });
          all.atEnd(
              () -> {
                assertThat(blocks[0]).isNotZero();
                assertThat(waiter.threadOrder.isAfter(blocks[1])).as("what came then").isFalse();
                assertThat(waiter.isAfter(worker)).as("the worker's next task").isFalse();
              });
        });
  }

  @Test
  void whoInvokesAllIsAfterAllOfThem() {
    for (Point point : List.of(Point.FUTURES, Point.POOL_FUTURES, Point.THREAD_FUTURES)) {
      Interleavings.all(
          all -> {
            BlockTracker tracker = tracker(all);
            List<Actor> runners = List.of(all.actor("left"), all.actor("right"));
            Actor waiter = all.actor("waiter");
            List<FutureTask<Integer>> tasks = new ArrayList<>();
            for (Actor runner : runners) {
              FutureTask<Integer> task = new FutureTask<>(() -> 1);
              tasks.add(task);
              runner.then(
                  () -> {
                    runner.writes();
                    tracker.enter(Point.FUTURE_DONE.ordinal(), task, 1);
                  },
                  task);
            }
            waiter.when(
                () -> tasks.stream().allMatch(FutureTask::isDone),
                () -> {
                  tracker.exit(false, point.ordinal(), pool(), List.of(), tasks);
                  assertThat(runners).allMatch(waiter::isAfter);
                });
          });
    }
  }

  @Test
  void aTaskGivenToAForkJoinPoolIsAfterWhoGaveIt() {
    Interleavings.all(
        all -> {
          BlockTracker tracker = tracker(all);
          RecursiveAction task = action();
          boolean[] isInside = new boolean[1];
          int[] late = new int[1];
          Actor submitter = all.actor("submitter");
          Actor worker = all.actor("worker");
          submitter.then(
              () -> {
                submitter.writes();
                tracker.enter(Point.POOL_SUBMIT.ordinal(), ForkJoinPool.commonPool(), task);
              },
              () -> isInside[0] = true,
              () -> late[0] = submitter.threadOrder.tag);
          worker.when(
              () -> isInside[0],
              () -> {
                tracker.enter(Point.EXECUTE.ordinal(), task, null);
                assertThat(worker.isAfter(submitter)).isTrue();
              });
          all.atEnd(() -> assertThat(worker.threadOrder.isAfter(late[0])).isFalse());
        });
  }

  @Test
  void aCommandThatWasRejectedIsTheOneOfWhoWasRejected() {
    Interleavings.all(
        all -> {
          BlockTracker tracker = tracker(all);
          ThreadPoolExecutor pool = pool();
          Actor rejected = all.actor("rejected");
          Actor submitter = all.actor("submitter");
          Actor worker = all.actor("worker");
          boolean[] isOver = new boolean[1];
          int[] runs = new int[1];
          Runnable command =
              () -> {
                runs[0]++;
                assertThat(worker.isAfter(submitter)).isTrue();
                assertThat(worker.isAfter(rejected)).as("who was rejected").isFalse();
              };
          rejected.then(
              () -> {
                rejected.writes();
                tracker.enter(Point.EXECUTOR_EXECUTE.ordinal(), pool, command);
              },
              () -> tracker.enter(Point.EXECUTOR_REJECTS.ordinal(), pool, command),
              () -> isOver[0] = true);
          submitter.then(
              () -> {
                submitter.writes();
                tracker.enter(Point.EXECUTOR_EXECUTE.ordinal(), pool, command);
              },
              () -> pool.getQueue().add(command));
          worker.when(
              () -> isOver[0] && !pool.getQueue().isEmpty(),
              () -> tracker.run(requireNonNull(pool.getQueue().poll())));
          all.atEnd(() -> assertThat(runs[0]).isEqualTo(1));
        });
  }

  /** Though what it waited for may have ended by the time that the hook looks. */
  @Test
  void aWaitThatGaveUpOrdersNothing() {
    Interleavings.all(
        all -> {
          BlockTracker tracker = tracker(all);
          FutureTask<Integer> task = new FutureTask<>(() -> 1);
          CompletableFuture<Integer> future = new CompletableFuture<>();
          Actor runner = all.actor("runner");
          Actor waiter = all.actor("waiter");
          runner.then(
              () -> {
                runner.writes();
                tracker.enter(Point.FUTURE_DONE.ordinal(), task, 1);
              },
              task,
              () -> tracker.enter(Point.COMPLETED_BY_HAND.ordinal(), future, 1),
              () -> future.complete(1));
          for (Exception gaveUp :
              List.of(
                  new TimeoutException(),
                  new InterruptedException(),
                  new IllegalStateException("resultNow of a future that is not complete"))) {
            waiter.then(
                () -> tracker.exit(false, Point.FUTURE_GET.ordinal(), task, null, gaveUp),
                () -> tracker.exit(false, Point.COMPLETION_WAIT.ordinal(), future, null, gaveUp));
          }
          waiter.then(() -> tracker.exit(false, Point.COMPLETION_NOW.ordinal(), future, "", ""));
          all.atEnd(() -> assertThat(waiter.isAfter(runner)).isFalse());
        });
  }

  @Test
  void whoAskedForAValueAndGotItIsAfterWhoGaveIt() {
    for (boolean isObtruded : new boolean[] {false, true}) {
      Interleavings.all(
          all -> {
            BlockTracker tracker = tracker(all);
            CompletableFuture<String> future = new CompletableFuture<>();
            Actor giver = all.actor("giver");
            Actor asker = all.actor("asker");
            String absent = "absent";
            giver.then(
                () -> {
                  giver.writes();
                  tracker.enter(Point.COMPLETED_BY_HAND.ordinal(), future, "value");
                },
                () -> {
                  if (isObtruded) {
                    future.obtrudeValue("value");
                  } else {
                    future.complete("value");
                  }
                });
            asker.then(
                () -> {
                  String value = future.getNow(absent);
                  asker.then(
                      () -> {
                        tracker.exit(false, Point.COMPLETION_NOW.ordinal(), future, absent, value);
                        assertThat(giver.written() != 0 && asker.isAfter(giver))
                            .isEqualTo(!value.equals(absent));
                      });
                });
            all.atEnd(() -> assertThat(all.obstacles()).isEmpty());
          });
    }
  }

  /** As a completion service has it: a task adds its future to a queue once that is done. */
  @Test
  void whoTakesAFutureBecauseItIsDoneIsAfterItsTask() {
    Interleavings.all(
        all -> {
          BlockTracker tracker = tracker(all);
          List<FutureTask<Actor>> done = new ArrayList<>();
          for (Actor worker : List.of(all.actor("one"), all.actor("other"))) {
            FutureTask<Actor> future = new FutureTask<>(() -> worker);
            worker.then(
                worker::writes,
                () -> tracker.enter(Point.FUTURE_DONE.ordinal(), future, null),
                future,
                () -> done.add(future));
          }
          Actor taker = all.actor("taker");
          taker.when(
              () -> !done.isEmpty(),
              () -> {
                FutureTask<Actor> taken = done.remove(0);
                taker.then(
                    () -> {
                      tracker.exit(false, Point.DONE_TAKE.ordinal(), done, null, taken);
                      assertThat(taker.isAfter(worker(taken))).isTrue();
                    });
              });
        });
  }

  private static Actor worker(FutureTask<Actor> done) {
    try {
      return done.get();
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Nothing is executed in it but by the actors. */
  private static ThreadPoolExecutor pool() {
    return new ThreadPoolExecutor(2, 2, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
  }

  private static BlockTracker tracker(Interleavings all) {
    BiConsumer<String, String> obstacles = (what, place) -> all.obstacles().add(what);
    return new BlockTracker(
        obstacles,
        new Ending(),
        new Forkers(Scope.everything(), obstacles, trusted -> {}),
        all::running);
  }

  private static RecursiveAction action() {
    return new RecursiveAction() {
      @Override
      protected void compute() {}
    };
  }

  /** Nothing happens in it but what the hooks see. */
  private static final class Completer extends CountedCompleter<Void> {
    Completer(@Nullable CountedCompleter<?> parent) {
      super(parent);
    }

    @Override
    public void compute() {}

    @Override
    public void onCompletion(CountedCompleter<?> caller) {}
  }
}
