package org.reprise.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.reprise.trace.Rank;
import org.reprise.trace.RankHeader;
import org.reprise.trace.RecordedRun;
import org.reprise.trace.RunDirectory;
import org.reprise.trace.UserError;
import org.reprise.trace.Wire;

/** What was recorded when something ended that should not: a rank, the launcher, the disk. */
class CrashTest {
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final Duration LOOK_AGAIN = Duration.ofMillis(2);

  @RegisterExtension private final Workbench bench = new Workbench();

  /** Open MPI's segments are in /dev/shm otherwise, where those of a killed job stay for ever. */
  @BeforeEach
  void keepSegmentsHere() {
    bench.set("OMPI_MCA_btl_vader_backing_directory", bench.directory().toString());
  }

  private static Stream<Arguments> seeds() {
    return Stream.of(Mpi.values())
        .flatMap(mpi -> Stream.of(1, 2, 3, 4).map(seed -> Arguments.of(mpi, seed)));
  }

  private List<String> tsp(Mpi mpi, int ranks) {
    return mpi.job(ranks, bench.example(mpi, "tsp"), 16);
  }

  /** A loop of receives; with no more ranks than processors on MPICH. */
  private List<String> receives(Mpi mpi) {
    return mpi.job(mpi == Mpi.MPICH ? 2 : 3, bench.example(mpi, "receive_benchmark"), 150_000);
  }

  /** The header of a rank of the job that is being recorded, once it has made so many calls. */
  private RankHeader awaitCalls(Workbench.Running recorder, Rank rank, long calls)
      throws InterruptedException {
    for (long start = System.nanoTime(); System.nanoTime() - start < PATIENCE.toNanos(); ) {
      try {
        RankHeader header = bench.store().latest().header(rank);
        if (header.calls() >= calls) {
          return header;
        }
      } catch (UserError e) {
        // Not there yet.
      }
      assertThat(recorder.isAlive()).as("the job still runs").isTrue();
      Thread.sleep(LOOK_AGAIN);
    }
    throw new AssertionError(rank + " has not come so far");
  }

  private static void kill(long pid) {
    assertThat(ProcessHandle.of(pid).orElseThrow().destroyForcibly()).isTrue();
  }

  private RecordedRun readable() {
    RecordedRun run = bench.latest();
    run.verify();
    return run;
  }

  /** The replay follows the prefix and then, since nobody kills it, runs to the program's end. */
  private void isFollowedAndRunsOn() {
    Ran replay = bench.replay();
    assertThat(replay.told()).as("%s", replay).anyMatch(l -> l.startsWith("same order"));
    assertThat(replay.status()).as("%s", replay).isZero();
    assertThat(replay.out()).as("%s", replay).isNotEmpty();
  }

  @ParameterizedTest(name = "{0}, seed {1}")
  @MethodSource("seeds")
  void whatARankRecordedUntilItWasKilledIsReplayed(Mpi mpi, int seed) throws Exception {
    Random random = new Random(seed);
    boolean loop = seed % 2 == 0;
    List<String> job = loop ? receives(mpi) : tsp(mpi, 3);
    Rank victim = new Rank(random.nextInt(Integer.parseInt(job.get(2))));
    long calls = 1 + random.nextLong(loop ? 50_000 : 40);
    Workbench.Running recorder = bench.start(Workbench.words("record", List.of(), job));
    kill(awaitCalls(recorder, victim, calls).pid());
    Ran recording = recorder.end();
    String what = "seed " + seed + ": killed " + victim + " after " + calls + " calls";
    assertThat(recording.status()).as("%s: %s", what, recording).isNotZero();
    assertThat(readable().header(victim).state()).as(what).isEqualTo(Wire.State.RUNNING);
    isFollowedAndRunsOn();
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mpi.class)
  void whatWasRecordedUntilTheLauncherWasKilledIsReplayed(Mpi mpi) throws Exception {
    Workbench.Running recorder = bench.start(Workbench.words("record", List.of(), tsp(mpi, 3)));
    awaitCalls(recorder, new Rank(0), 20);
    ProcessHandle launcher =
        ProcessHandle.of(recorder.pid()).orElseThrow().children().findFirst().orElseThrow();
    kill(launcher.pid());
    Ran recording = recorder.end();
    assertThat(recording.status()).as("%s", recording).isEqualTo(128 + 9);
    assertThat(recording.said()).contains("killed by signal 9");
    // Ranks of Open MPI that do not miss their launcher go on, and are recorded, to their end.
    assertThat(bench.processes().awaitEnd(PATIENCE)).isEmpty();
    readable();
    isFollowedAndRunsOn();
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mpi.class)
  void whatWasRecordedUntilTheRecorderWasKilledIsReplayed(Mpi mpi) throws Exception {
    Workbench.Running recorder = bench.start(Workbench.words("record", List.of(), tsp(mpi, 3)));
    awaitCalls(recorder, new Rank(0), 20);
    bench.processes().kill();
    assertThat(recorder.end().status()).isEqualTo(128 + 9);
    readable();
    Ran replay = bench.replay();
    assertThat(replay.said()).as("%s", replay).contains("the recorder was killed", "same order");
  }

  /** Unprivileged: a limit on the size of files takes the place of the full disk. */
  @ParameterizedTest(name = "{0}")
  @EnumSource(Mpi.class)
  void whereFilesMayNotGrowTheRecordingStopsAndTheProgramGoesOn(Mpi mpi) {
    Ran recording = bench.record(mpi.job(2, bench.compiled(mpi, "file_limit")));
    assertThat(recording.status()).as("%s", recording).isEqualTo(7);
    assertThat(recording.out()).as("%s", recording).startsWith("order = ");
    stopsAndIsReplayed(recording);
  }

  /** None where we may not mount: then the test above says what can be said. */
  private static Stream<Arguments> smallDisks() throws Exception {
    Process mount = new ProcessBuilder(unshared("mount -t tmpfs tmpfs /mnt")).start();
    return mount.waitFor() != 0
        ? Stream.empty()
        : Stream.of(Mpi.values())
            .flatMap(mpi -> Stream.of(200, 300).map(kilobytes -> Arguments.of(mpi, kilobytes)));
  }

  /** The disk is mounted in a namespace of its own, with which it goes away in any case. */
  @ParameterizedTest(name = "{0}, {1} kB", allowZeroInvocations = true)
  @MethodSource("smallDisks")
  void onAFullDiskTheRecordingStopsAndTheProgramGoesOn(Mpi mpi, int kilobytes) throws Exception {
    Path disk = Files.createDirectory(bench.directory().resolve("disk"));
    List<String> job = mpi.job(2, bench.example(mpi, "receive_benchmark"), 100_000);
    bench.set("REPRISE_HOME", disk.toString());
    String mount = "mount -t tmpfs -o size=" + kilobytes + "k tmpfs " + disk;
    String record = Workbench.shell(bench.java(Workbench.words("record", List.of(), job)));
    String replay = Workbench.shell(bench.java(Workbench.words("replay", List.of(), List.of())));
    Ran both = bench.run(unshared(mount + " && " + record + " && " + replay));
    assertThat(both.status()).as("%s", both).isZero();
    assertThat(both.said())
        .as("%s", both)
        .contains("recording stops here: No space left on device; the program goes on")
        // One rank or both: whoever stops leaves the last block to the other.
        .contains("could not be recorded to the end because the disk is full")
        .contains("stops where the disk was full")
        .contains("same order: all 2 ranks");
  }

  private static List<String> unshared(String script) {
    List<String> words = new ArrayList<>(List.of("unshare", "--map-root-user", "--mount"));
    words.addAll(List.of("sh", "-c", script));
    return words;
  }

  private void stopsAndIsReplayed(Ran recording) {
    assertThat(recording.said())
        .contains("recording stops here: ", "; the program goes on")
        .contains("rank 0 could not be recorded to the end because the disk is full");
    RunDirectory run = readable().directory();
    assertThat(run.header(new Rank(0)).has(Wire.Flag.DISK_FULL)).isTrue();
    Ran replay = bench.replay();
    assertThat(replay.said())
        .contains("the recording of rank 0 stops where the disk was full")
        .contains("same order: all 2 ranks");
    assertThat(replay.status()).as("%s", replay).isEqualTo(recording.status());
    assertThat(replay.out()).as("%s", replay).isNotEmpty();
  }
}
