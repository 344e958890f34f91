package org.reprise.ranks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.reprise.ranks.Programs.recv;
import static org.reprise.ranks.Programs.send;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;
import org.reprise.ranks.engine.JobResult;
import org.reprise.ranks.engine.RankProgram;
import org.reprise.ranks.fabric.CompletionMode;
import org.reprise.ranks.fabric.Fabric;
import org.reprise.ranks.fabric.Operation;
import org.reprise.ranks.fabric.SendMode;
import org.reprise.trace.UserError;

/** Every execution, each once. */
class EnumerationTest {
  /** More failures in a row than any script has polls. */
  private static final int UNBOUNDED = 100;

  private static final int STATES_MAX = 60_000;

  private static Enumeration.Request request(Script script) {
    return new Enumeration.Request(script.ranks().size(), false, UNBOUNDED, Long.MAX_VALUE);
  }

  private static long count(int ranks, RankProgram program) {
    return Enumeration.explore(Enumeration.Request.of(ranks), () -> program, execution -> true)
        .executions();
  }

  @Test
  void itFindsWhatEveryInterleavingDoesAndEachOnce() {
    compare(1_000, 120, false);
    compare(2_000, 120, true);
  }

  @Test
  void aCancelComesInTimeOrTooLateWhereverThatCanBe() {
    compare(80, seed -> new RandomScripts(seed, false, true).next(), 3_000);
    compare(60, seed -> new RandomScripts(seed, true, true).next(), 4_000);
  }

  /**
   * The one asked for stands behind a named one, and that one behind a wildcard with another tag.
   */
  @Test
  void aReceiveThatNamesItsSourceMayStandBetweenTwoWildcards() {
    compare(1_000_632, 1, false);
  }

  static void compare(long seed, int scripts, boolean polls) {
    compare(scripts, own -> new RandomScripts(own, polls).next(), seed);
  }

  private static void compare(int scripts, LongFunction<Script> draw, long seed) {
    int compared = 0;
    for (int i = 0; compared < scripts; i++) {
      Script script = draw.apply(seed + i);
      Optional<Set<List<List<String>>>> expected = Interleavings.of(script, STATES_MAX);
      if (expected.isEmpty()) {
        continue;
      }
      compared++;
      List<Script.Log> logs = new ArrayList<>();
      List<List<List<String>>> found = new ArrayList<>();
      Enumeration.explore(
          request(script),
          () -> script.program(logs),
          execution -> {
            execution
                .result()
                .firstFailure()
                .ifPresent(
                    end -> {
                      throw new AssertionError("seed " + seed, end.failure());
                    });
            return found.add(Script.lines(logs));
          });
      assertThat(new HashSet<>(found))
          .as("seed %d, script %s", seed + i, script)
          .isEqualTo(expected.get());
      assertThat(found).as("seed %d, script %s", seed + i, script).doesNotHaveDuplicates();
    }
  }

  @Test
  void twoSendersThatSendThriceToOneReceiverHaveTwentyExecutions() {
    assertThat(
            count(
                3,
                rank -> {
                  for (int i = 0; i < 3; i++) {
                    if (rank == 0) {
                      recv();
                      recv();
                    } else {
                      send(0, 0, i);
                    }
                  }
                }))
        .isEqualTo(20);
  }

  @Test
  void aProgramWithoutWildcardsHasOneExecution() {
    assertThat(
            count(
                4,
                rank -> {
                  send((rank + 1) % 4, 0, rank);
                  recv((rank + 3) % 4, 0);
                }))
        .isEqualTo(1);
  }

  @Test
  void aMessageThatIsSentOnlyAfterAnotherChoiceIsAmongTheCandidates() {
    // 1 takes from 2 or 3 and then sends to 0, which has messages of 2 and 3 by then.
    assertThat(
            count(
                4,
                rank -> {
                  switch (rank) {
                    case 0 -> {
                      recv();
                      recv();
                      recv();
                    }
                    case 1 -> {
                      recv();
                      recv();
                      send(0, 0, 1);
                    }
                    default -> {
                      send(1, 0, rank);
                      send(0, 0, rank);
                    }
                  }
                }))
        .isEqualTo(2 * 6);
  }

  @Test
  void aPollFailsOrSucceeds() {
    assertThat(
            count(
                2,
                rank -> {
                  if (rank == 0) {
                    Programs.mpi().iprobe(Programs.mpi().world(), 1, 0);
                    recv();
                  } else {
                    send(0, 0, 1);
                  }
                }))
        .isEqualTo(2);
  }

  @Test
  void aLoopOfPollsIsTriedOnceInVain() {
    Enumeration.Summary summary =
        Enumeration.explore(
            Enumeration.Request.of(2),
            () ->
                rank -> {
                  if (rank == 0) {
                    while (Programs.mpi().iprobe(Programs.mpi().world(), 1, 0).isEmpty()) {}
                    recv();
                  } else {
                    send(0, 0, 1);
                  }
                },
            execution -> true);
    assertThat(summary.executions()).isEqualTo(2);
    assertThat(summary.heldPolls()).isTrue();
    assertThat(summary.complete()).isTrue();
  }

  /** Runs that lead to nothing new count for the limit as others do. */
  @Test
  void aSearchEndsAfterAsManyRunsAsAskedFor() {
    RankProgram race =
        rank -> {
          if (rank == 0) {
            recv();
            recv();
          } else {
            send(0, 0, rank);
          }
        };
    assertThat(explore(3, 1, race).complete()).isFalse();
    assertThat(explore(3, 1, race).executions()).as("as many as asked for").isEqualTo(1);
    assertThat(explore(3, 2, race).complete()).isTrue();
    Enumeration.Request few =
        new Enumeration.Request(8, false, 1, 5, Enumeration.Reduction.SLEEP_SETS);
    Enumeration.Summary cut = Enumeration.explore(few, () -> PAIRS, execution -> true);
    assertThat(cut.executions() + cut.redundant()).isEqualTo(5);
    assertThat(cut.complete()).isFalse();
  }

  private static final RankProgram PAIRS =
      rank -> {
        if (rank % 2 == 0) {
          recv();
        } else {
          send(rank - 1, 0, rank);
        }
      };

  @Test
  void independentPairsAreRunOnce() {
    for (int ranks = 2; ranks <= 16; ranks += 2) {
      Enumeration.Summary summary = explore(ranks, Long.MAX_VALUE, PAIRS);
      assertThat(summary).isEqualTo(new Enumeration.Summary(1, 0, true, false));
    }
    Enumeration.Summary sleeping =
        Enumeration.explore(
            Enumeration.Request.of(8).by(Enumeration.Reduction.SLEEP_SETS),
            () -> PAIRS,
            execution -> true);
    assertThat(sleeping.redundant()).as("without source sets").isEqualTo(7);
  }

  @Test
  void independentGroupsAreTheirProductAndNoMore() {
    for (int groups = 1; groups <= 6; groups++) {
      Enumeration.Summary summary =
          explore(
              3 * groups,
              Long.MAX_VALUE,
              rank -> {
                if (rank % 3 == 0) {
                  recv();
                  recv();
                } else {
                  send(rank - rank % 3, 0, rank);
                }
              });
      assertThat(summary).isEqualTo(new Enumeration.Summary(1L << groups, 0, true, false));
    }
  }

  /** Source sets leave out runs, and no execution: polls, cancels and synchronous sends, too. */
  @Test
  void sourceSetsFindWhatSleepSetsDo() {
    long seed = Long.getLong("reprise.seed", 5_000L);
    int scripts = Integer.getInteger("reprise.programs", 250);
    System.out.println("scripts with -Dreprise.seed=" + seed);
    long executions = 0;
    long redundant = 0;
    long redundantBefore = 0;
    for (int compared = 0, i = 0; compared < scripts; i++) {
      boolean syncSends = i % 3 == 0;
      Script script = new RandomScripts(seed + i, i % 2 == 0, i % 5 == 0, 5).next();
      Enumeration.Request some =
          new Enumeration.Request(script.ranks().size(), syncSends, 1, RUNS_MAX);
      Found all = found(some.by(Enumeration.Reduction.SLEEP_SETS), script);
      if (!all.summary.complete()) {
        continue;
      }
      compared++;
      Found fewer = found(some, script);
      assertThat(fewer.logs)
          .as("seed %d, sync sends %s, script %s", seed + i, syncSends, script)
          .isEqualTo(all.logs);
      executions += all.summary.executions();
      redundant += fewer.summary.redundant();
      redundantBefore += all.summary.redundant();
    }
    System.out.printf(
        "%d executions, %d redundant runs, %d with sleep sets alone%n",
        executions, redundant, redundantBefore);
    assertThat(redundant).isLessThan(redundantBefore);
  }

  /**
   * The test succeeds only if the other rank posts its receive before, and what it does until then
   * has nothing to do with this one.
   */
  @Test
  void aSenderThatGoesOnWithoutItsReceiverMightHaveWaited() {
    RankProgram program =
        rank -> {
          Fabric mpi = Programs.mpi();
          if (rank == 0) {
            Operation send =
                mpi.startSend(mpi.world(), 1, 0, Programs.ints(0), SendMode.SYNCHRONOUS);
            mpi.complete(new Operation[] {send}, CompletionMode.TEST);
          } else {
            mpi.iprobe(mpi.world(), Fabric.ANY_SOURCE, 1);
            mpi.startReceive(mpi.world(), Fabric.ANY_SOURCE, Fabric.ANY_TAG, null);
          }
        };
    assertThat(count(2, program)).isEqualTo(2);
    for (long seed : new long[] {421_343, 449_619, 454_003, 567_181}) {
      Script script = new RandomScripts(seed, seed % 3 == 1, false, 5).next();
      Enumeration.Request all = new Enumeration.Request(script.ranks().size(), false, 2, RUNS_MAX);
      assertThat(found(all, script).logs)
          .as("seed %d", seed)
          .isEqualTo(found(all.by(Enumeration.Reduction.SLEEP_SETS), script).logs);
    }
  }

  private static final long RUNS_MAX = 3_000;

  private record Found(Set<List<List<String>>> logs, Enumeration.Summary summary) {}

  private static Found found(Enumeration.Request request, Script script) {
    List<Script.Log> logs = new ArrayList<>();
    Set<List<List<String>>> found = new HashSet<>();
    Enumeration.Summary summary =
        Enumeration.explore(
            request,
            () -> script.program(logs),
            execution -> {
              found.add(Script.lines(logs));
              return true;
            });
    return new Found(found, summary);
  }

  /** An abort ends what other ranks could still do: when it comes, makes a difference there. */
  @Test
  void anAbortComesBeforeOrAfterWhatOthersDo() {
    RankProgram aborts =
        rank -> {
          switch (rank) {
            case 0 -> recv();
            case 1 -> {
              recv();
              throw Programs.mpi().abort(3);
            }
            default -> {
              send(0, 0, rank);
              send(1, 0, rank);
            }
          }
        };
    assertThat(count(3, aborts)).isEqualTo(2);
  }

  private static Enumeration.Summary explore(int ranks, long max, RankProgram program) {
    List<Long> told = new ArrayList<>();
    Enumeration.Request all = Enumeration.Request.of(ranks);
    Enumeration.Summary summary =
        Enumeration.explore(
            new Enumeration.Request(ranks, false, all.failedPollsMax(), max),
            () -> program,
            execution -> told.add(execution.number()));
    assertThat(told).hasSize((int) summary.executions());
    return summary;
  }

  @Test
  void pollingForWhatNeverComesIsADeadlock() {
    List<JobResult> results = new ArrayList<>();
    Enumeration.explore(
        Enumeration.Request.of(2),
        () ->
            rank -> {
              if (rank == 0) {
                while (Programs.mpi().iprobe(Programs.mpi().world(), 1, 0).isEmpty()) {}
              }
            },
        execution -> results.add(execution.result()));
    assertThat(results).hasSize(1);
    assertThat(results.getFirst().deadlock()).isPresent();
  }

  @Test
  void aWaitsomeOfVeryManyIsDrawnButNotEnumerated() {
    int many = 40;
    RankProgram program =
        rank -> {
          if (rank > 0) {
            for (int i = 0; i < many; i++) {
              send(0, i, i);
            }
            return;
          }
          Operation[] receives = new Operation[many];
          for (int i = 0; i < many; i++) {
            receives[i] = Programs.irecv(Fabric.ANY_SOURCE, i);
          }
          int left = many;
          while (left > 0) {
            int[] done =
                Objects.requireNonNull(Programs.complete(CompletionMode.WAIT_SOME, receives));
            for (int index : done) {
              receives[index] = null;
            }
            left -= done.length;
          }
        };
    Set<Long> hashes = new HashSet<>();
    for (long seed = 0; seed < 10; seed++) {
      JobResult result = EmbeddedJob.run(JobRequest.of(2, new Schedule.Seeded(seed)), program);
      assertThat(result.succeeded()).isTrue();
      hashes.add(result.ranks().getFirst().orderHash());
    }
    assertThat(hashes).hasSizeGreaterThan(1);
    assertThatThrownBy(() -> count(2, program))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("a call of the program can have too many outcomes");
  }

  @Test
  void aProgramThatChangesOfItselfIsNotEnumerated() {
    int[] runs = new int[1];
    assertThatThrownBy(
            () ->
                Enumeration.explore(
                    Enumeration.Request.of(3),
                    () -> {
                      int run = runs[0]++;
                      return rank -> {
                        if (rank == 0) {
                          for (int i = 0; i < (run == 0 ? 1 : 2); i++) {
                            Programs.mpi().iprobe(Programs.mpi().world(), 1 + run % 2, i);
                          }
                          recv();
                          recv();
                        } else {
                          send(0, run, 1);
                        }
                      };
                    },
                    execution -> true))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("the program does something else each time it runs");
  }
}
