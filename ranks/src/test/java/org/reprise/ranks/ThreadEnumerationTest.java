package org.reprise.ranks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.reprise.ranks.Programs.recv;
import static org.reprise.ranks.Programs.send;
import static org.reprise.ranks.Programs.value;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.reprise.ranks.engine.RankProgram;

/** Every execution of programs whose ranks have threads, each once. */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ThreadEnumerationTest {
  private static final int SCRIPTS = Integer.getInteger("reprise.scripts", 3);
  private static final int EXECUTIONS_MAX = Integer.getInteger("reprise.executions", 4);
  private static final int STATES_MAX = 60_000;
  private static final int UNBOUNDED_POLLS = 100;

  @Test
  void itFindsWhatEveryInterleavingOfThreadsDoesAndEachOnce() {
    long seed = Long.getLong("reprise.seed", 9_022);
    int compared = 0;
    for (long own = seed; compared < SCRIPTS; own++) {
      ThreadScript script = ThreadScript.draw(own);
      Set<Map<String, List<String>>> expected =
          ThreadInterleavings.of(script, STATES_MAX).orElse(Set.of());
      // A deadlock takes the engine seconds to be sure of; other tests have it.
      if (expected.size() < 2 || expected.size() > EXECUTIONS_MAX || hasDeadlock(expected)) {
        continue;
      }
      compared++;
      List<Map<String, List<String>>> found = all(script);
      assertThat(new HashSet<>(found)).as("seed %d, %s", own, script).isEqualTo(expected);
      assertThat(found).as("seed %d, %s", own, script).doesNotHaveDuplicates();
    }
  }

  private static boolean hasDeadlock(Set<Map<String, List<String>>> outcomes) {
    return outcomes.stream()
        .flatMap(logs -> logs.values().stream())
        .anyMatch(lines -> lines.isEmpty() || !lines.getLast().equals("end"));
  }

  private static List<Map<String, List<String>>> all(ThreadScript script) {
    Map<String, List<String>> logs = ThreadScript.empty();
    List<Map<String, List<String>>> found = new ArrayList<>();
    Enumeration.explore(
        new Enumeration.Request(script.ranks().size(), false, UNBOUNDED_POLLS, Long.MAX_VALUE),
        () -> script.program(logs),
        execution -> found.add(ThreadScript.copy(logs)));
    return found;
  }

  /** A thread that waits for a message may go on before one that need not wait. */
  @Test
  void whoWaitedMaySendBeforeWhoDidNot() {
    Set<String> orders = new HashSet<>();
    Enumeration.Summary summary =
        Enumeration.explore(
            Enumeration.Request.of(3),
            () ->
                rank -> {
                  switch (rank) {
                    case 0 -> {
                      Thread other = Thread.ofPlatform().daemon().start(() -> send(1, 0, 20));
                      recv(2, 0);
                      send(1, 0, 10);
                      other.join();
                    }
                    case 1 -> orders.add(value(recv(0, 0)) + " " + value(recv(0, 0)));
                    default -> send(0, 0, 0);
                  }
                },
            execution -> true);
    assertThat(orders).containsExactlyInAnyOrder("10 20", "20 10");
    assertThat(summary.executions()).isEqualTo(2);
    assertThat(summary.complete()).isTrue();
  }

  /** The choices that an enumeration came by lead to the same execution again. */
  @Test
  void anExecutionOfThreadsIsRepeatedFromItsChoices() {
    List<String> seen = new ArrayList<>();
    RankProgram program =
        rank -> {
          if (rank == 0) {
            Thread other = Thread.ofPlatform().daemon().start(() -> send(1, 0, 1));
            send(1, 0, 2);
            other.join();
          } else {
            seen.add(value(recv()) + " " + value(recv()));
          }
        };
    List<List<Integer>> choices = new ArrayList<>();
    Enumeration.explore(
        Enumeration.Request.of(2), () -> program, execution -> choices.add(execution.choices()));
    List<String> first = List.copyOf(seen);
    assertThat(new HashSet<>(first)).hasSize(2);
    seen.clear();
    for (List<Integer> each : choices) {
      EmbeddedJob.run(JobRequest.of(2, new Schedule.Chosen(each)), program);
    }
    assertThat(seen.stream().distinct().toList()).isEqualTo(first.stream().distinct().toList());
  }
}
