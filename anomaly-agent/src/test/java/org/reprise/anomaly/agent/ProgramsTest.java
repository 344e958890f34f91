package org.reprise.anomaly.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.reprise.anomaly.agent.Programs.Outcome;
import org.reprise.anomaly.agent.Programs.Program;
import org.reprise.anomaly.agent.Programs.Series;

/**
 * Every program gets the verdict it expects, whatever the schedule: on one worker as on eight, with
 * pauses at random. A stream is split into four times as many parts as there are workers, so other
 * numbers of them are other splits; one is taken at random. A third of the programs is dealt to
 * three of five schedules ({@link DealtPrograms}): pauses make a busy machine take long.
 *
 * <p>{@code -Dreprise.seeds=20 -Dreprise.workers=1,2,5} runs all of them with that many seeds and
 * each number of workers instead ({@code bench/schedules}). A schedule in which every program got
 * its verdict is added to the file {@code -Dreprise.done}; those that are in it already are
 * skipped.
 */
class ProgramsTest {
  /** A hand is one schedule's; of each third of the programs, three hands. */
  private static final int HANDS = 9;

  private static final int SEEDS = Integer.getInteger("reprise.seeds", 0);
  private static final List<Integer> WORKERS =
      Pattern.compile("[0-9]+")
          .matcher(System.getProperty("reprise.workers", ""))
          .results()
          .map(number -> Integer.valueOf(number.group()))
          .toList();
  private static final @Nullable String DONE = System.getProperty("reprise.done");

  @TempDir private Path directory;

  @TestFactory
  Stream<DynamicContainer> verdictsAreAsExpectedOnEverySchedule() throws Exception {
    List<Program> programs = Programs.all();
    Path agent = AgentJar.build(directory);
    Programs.compile(programs, directory);
    Set<String> done = new TreeSet<>();
    if (DONE != null && Files.exists(Path.of(DONE))) {
      done.addAll(Files.readAllLines(Path.of(DONE)));
    }
    if (SEEDS == 0) {
      DealtPrograms dealt = DealtPrograms.dealt("ProgramsTest");
      List<Schedule> few = few(dealt.seed());
      return IntStream.range(0, few.size())
          .mapToObj(number -> tests(dealt.hand(number, HANDS), agent, few.get(number)));
    }
    return many().stream()
        .filter(schedule -> !done.contains(schedule.toString()))
        .map(schedule -> tests(programs, agent, schedule));
  }

  private static List<Schedule> few(long seed) {
    int others = 3 + (int) (seed % 13);
    // Where there are no pauses, loops may be declared before they begin.
    return List.of(
        new Schedule(seed % 2 == 0 ? 8 : 1, 0),
        new Schedule(2, seed + 2),
        new Schedule(others, seed + others));
  }

  private static List<Schedule> many() {
    List<Schedule> schedules = new ArrayList<>();
    for (int seed = 1; seed <= SEEDS; seed++) {
      for (int workers : WORKERS) {
        schedules.add(new Schedule(workers, seed));
      }
    }
    return schedules;
  }

  /** How many workers there are, and where they pause; seed 0 is without pauses. */
  private record Schedule(int workers, long seed) {
    @Override
    public String toString() {
      return workers + " workers and seed " + seed;
    }
  }

  /** A test for each program; all run in one virtual machine, which starts with the first test. */
  private DynamicContainer tests(List<Program> programs, Path agent, Schedule schedule) {
    AtomicReference<@Nullable Series> started = new AtomicReference<>();
    AtomicInteger right = new AtomicInteger();
    Stream<DynamicTest> tests =
        IntStream.range(0, programs.size())
            .mapToObj(
                number ->
                    dynamicTest(
                        programs.get(number).toString(),
                        () -> {
                          Series series = started.get();
                          if (series == null) {
                            series = start(programs, agent, schedule);
                            started.set(series);
                          }
                          Outcome outcome = series.outcome(number);
                          assertThat(programs.get(number).complaint(outcome, schedule.toString()))
                              .isEmpty();
                          if (right.incrementAndGet() == programs.size()) {
                            done(schedule);
                          }
                        }))
            .onClose(
                () -> {
                  Series series = started.get();
                  if (series != null) {
                    series.close();
                  }
                });
    return dynamicContainer(schedule.toString(), tests);
  }

  private static void done(Schedule schedule) throws IOException {
    if (DONE != null) {
      Files.writeString(
          Path.of(DONE), schedule + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
  }

  private Series start(List<Program> programs, Path agent, Schedule schedule) throws IOException {
    String option = "-Djava.util.concurrent.ForkJoinPool.common.parallelism=" + schedule.workers();
    String jitter = schedule.seed() == 0 ? "" : ",jitter=" + schedule.seed();
    return Programs.start(programs, directory, agent, jitter, List.of(option));
  }

  @Test
  void everyProgramHasATwin() throws Exception {
    List<Program> programs = Programs.all();
    assertThat(names(programs, "races")).isEqualTo(names(programs, "clean")).hasSizeGreaterThan(60);
    assertThat(names(programs, "broken"))
        .isEqualTo(names(programs, "sound"))
        .hasSizeGreaterThan(60);
  }

  private static Set<String> names(List<Program> programs, String folder) {
    return programs.stream()
        .filter(program -> program.folder().equals(folder))
        .map(Program::name)
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
