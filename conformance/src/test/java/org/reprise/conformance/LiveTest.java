package org.reprise.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.reprise.trace.file.Wire;
import org.reprise.trace.run.RecordedRun;
import org.reprise.trace.run.RunDirectory;
import org.reprise.trace.run.RunSummary;

/** Races found while the ranks run, by somebody who takes their events out of rings. */
class LiveTest {
  private static final Duration PATIENCE = Duration.ofMinutes(10);
  private static final Duration LOOK_AGAIN = Duration.ofMillis(5);

  /** Filled long before the reader looks for the first time, and again and again after that. */
  private static final int SMALL_RING = 1 << 16;

  private static final int ROUNDS = 400_000;

  @RegisterExtension private final Workbench bench = new Workbench();

  @BeforeEach
  void keepSegmentsHere() {
    bench.set("OMPI_MCA_btl_vader_backing_directory", bench.directory().toString());
  }

  /** The job, with another ring than a recording has by itself. */
  private static List<String> withRing(List<String> job, String whenFull) {
    List<String> words = new ArrayList<>(job);
    words.addAll(
        words.indexOf("-n") + 2, List.of("env", Wire.ENV_LIVE + "=" + whenFull + ":" + SMALL_RING));
    return words;
  }

  private void requireNoEventsLeft(RunDirectory run) {
    assertThat(run.path().toFile().list())
        .noneMatch(name -> name.matches("live.*|.*\\.(live|ring|events|sites|tail)"));
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mpi.class)
  void aFullRingIsWaitedForOrEndsTheSearchAndNothingIsCalledFreeOfRaces(Mpi mpi) {
    List<String> job = mpi.job(1, bench.example(mpi, "self_loop"), ROUNDS);
    Ran waited = bench.record(withRing(job, "wait"), "--live");
    assertThat(waited.said())
        .as("%s", waited)
        .contains("the search did not keep up: ranks waited ")
        .contains("no race was found; " + (3 * ROUNDS + 2) + " events searched");
    requireNoEventsLeft(bench.store().latest());

    Ran spilled = bench.record(withRing(job, "spill"), "--live");
    assertThat(spilled.said())
        .as("%s", spilled)
        .containsPattern("the search did not keep up: .* of events went through files")
        .contains("no race was found; " + (3 * ROUNDS + 2) + " events searched");
    requireNoEventsLeft(bench.store().latest());

    Ran dropped = bench.record(withRing(job, "order"), "--live");
    assertThat(dropped.status()).as("%s", dropped).isZero();
    assertThat(dropped.said())
        .as("%s", dropped)
        .contains("races were searched in the beginning of the run alone: rank 0 went on without")
        .doesNotContain("no race was found");
    requireNoEventsLeft(bench.store().latest());
    assertThat(RunSummary.of(bench.latest()).wildcardReceives()).isEqualTo(ROUNDS);
  }

  /** Ranks wait for a reader, and it dies. */
  @ParameterizedTest(name = "{0}")
  @EnumSource(Mpi.class)
  void ranksWhoseRecorderWasKilledRunOnAndAreRecorded(Mpi mpi) throws Exception {
    List<String> job = mpi.job(1, bench.example(mpi, "self_loop"), 4 * ROUNDS);
    Workbench.Running recorder =
        bench.start(Workbench.words("record", List.of("--live"), withRing(job, "wait")));
    await(recorder, Path.of("rank-0.ring"));
    assertThat(ProcessHandle.of(recorder.pid()).orElseThrow().destroyForcibly()).isTrue();
    assertThat(recorder.end().status()).isEqualTo(128 + 9);
    assertThat(bench.processes().awaitEnd(PATIENCE)).isEmpty();
    RecordedRun run = bench.latest();
    run.verify();
    run.ranksPresent()
        .forEach(r -> assertThat(run.header(r).state()).isEqualTo(Wire.State.FINALIZED));
    Ran replay = bench.replay();
    assertThat(replay.saysSameOrder()).as("%s", replay).isTrue();
  }

  private void await(Workbench.Running recorder, Path file) throws InterruptedException {
    for (long start = System.nanoTime(); System.nanoTime() - start < PATIENCE.toNanos(); ) {
      boolean there =
          bench
              .store()
              .latestIfAny()
              .filter(run -> Files.exists(run.path().resolve(file)))
              .isPresent();
      if (there) {
        return;
      }
      assertThat(recorder.isAlive()).as("the job still runs").isTrue();
      Thread.sleep(LOOK_AGAIN);
    }
    throw new AssertionError(file + " did not come");
  }

  /** The events that the search took are those that a replay learns. */
  @ParameterizedTest(name = "{0}")
  @EnumSource(Mpi.class)
  void whatRacesWhileTheProgramRunsRacesAfterwards(Mpi mpi) {
    long seed = Long.getLong("reprise.seed", System.nanoTime() % 100_000);
    List<String> programs = List.of("mesh", "sys", "tycho", "det", "order_sum", "mult");
    String program = programs.get(new Random(seed).nextInt(programs.size()));
    Ran live = bench.record(mpi.job(3, bench.example(mpi, program)), "--live", "--fail");
    Ran races = bench.reprise("races", "--stats", "--format", "json");
    String what = "seed %d: %s%n%s%n%s".formatted(seed, program, live, races);
    assertThat(racing(live.said())).as(what).isEqualTo(racing(races));
    assertThat(live.status()).as(what).isEqualTo(racing(races) > 0 ? 66 : 0);
  }

  private static long racing(String said) {
    Matcher number = Pattern.compile("(\\d+) receives? (and|or) probes? raced").matcher(said);
    return number.find() ? Long.parseLong(number.group(1)) : 0;
  }

  private static long racing(Ran races) {
    Matcher number =
        Pattern.compile("\"racing(Receives|Probes)\"\\s*:\\s*(\\d+)").matcher(races.out());
    long sum = 0;
    int found = 0;
    while (number.find()) {
      sum += Long.parseLong(number.group(2));
      found++;
    }
    assertThat(found).as("%s", races).isEqualTo(2);
    return sum;
  }
}
