package org.reprise.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.reprise.trace.Rank;
import org.reprise.trace.UserError;
import org.reprise.trace.file.RankHeader;
import org.reprise.trace.file.Wire;
import org.reprise.trace.run.RecordedRun;
import org.reprise.trace.run.RunDirectory;

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

  /** Drawn, and named in the name of each test; {@code -Dreprise.crashes=N} makes more of them. */
  private static Stream<Arguments> seeds() {
    int first = Integer.getInteger("reprise.seed", (int) (System.nanoTime() % 100_000));
    return IntStream.range(first, first + Integer.getInteger("reprise.crashes", 2))
        .boxed()
        .flatMap(
            seed -> DrawnMpi.Draw.of("crash " + seed).stream().map(mpi -> Arguments.of(mpi, seed)));
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
  @DrawnMpi
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
  @DrawnMpi
  void whatWasRecordedUntilTheRecorderWasKilledIsReplayed(Mpi mpi) throws Exception {
    Workbench.Running recorder = bench.start(Workbench.words("record", List.of(), tsp(mpi, 3)));
    awaitCalls(recorder, new Rank(0), 20);
    bench.processes().kill();
    assertThat(recorder.end().status()).isEqualTo(128 + 9);
    readable();
    Ran replay = bench.replay();
    assertThat(replay.said()).as("%s", replay).contains("the recorder was killed", "same order");
  }

  /** Interrupted because it never ends; nor would a replay, or who replays it to learn of it. */
  @ParameterizedTest(name = "{0}")
  @DrawnMpi
  void whatNeverEndsIsLookedIntoUpToWhereItWasCutOff(Mpi mpi) throws Exception {
    List<String> job = mpi.job(2, bench.compiled(mpi, "endless"));
    Workbench.Running recorder = bench.start(Workbench.words("record", List.of(), job));
    awaitCalls(recorder, new Rank(0), 1000);
    ProcessHandle.of(recorder.pid()).orElseThrow().destroy();
    recorder.end();
    assertThat(readable().header(new Rank(0)).state()).isEqualTo(Wire.State.RUNNING);
    Ran graph = bench.reprise("graph");
    assertThat(graph.out()).as("%s", graph).startsWith("2 ranks, ");
    assertThat(graph.status()).as("%s", graph).isZero();
    Ran debugged = bench.reprise("debug", "--batch", "--period", "100ms", "-e", "goto 0:500");
    assertThat(debugged.said()).as("%s", debugged).contains(" checkpoints taken in ");
    assertThat(debugged.out()).as("%s", debugged).contains("rank 0: before event 500, MPI_Recv");
    assertThat(debugged.status()).as("%s", debugged).isZero();
    Workbench.Running replaying = bench.start(List.of("replay"));
    replaying.awaitSaid("the recording is over, and the program runs on by itself");
    ProcessHandle.of(replaying.pid()).orElseThrow().destroy();
    assertThat(replaying.end().said()).contains("same order: all 2 ranks");
  }

  /** Unprivileged: a limit on the size of files takes the place of the full disk. */
  @ParameterizedTest(name = "{0}")
  @DrawnMpi
  void whereFilesMayNotGrowTheRecordingStopsAndTheProgramGoesOn(Mpi mpi) {
    Ran recording = bench.record(mpi.job(2, bench.compiled(mpi, "file_limit")));
    assertThat(recording.status()).as("%s", recording).isEqualTo(7);
    assertThat(recording.out()).as("%s", recording).startsWith("order = ");
    stopsAndIsReplayed(recording);
  }

  /** None where we may not mount: then the test above says what can be said. */
  private static Stream<Arguments> smallDisks() throws Exception {
    return mayMount()
        ? Stream.of(232, 332)
            .flatMap(
                kilobytes ->
                    DrawnMpi.Draw.of(kilobytes + " kB").stream()
                        .map(mpi -> Arguments.of(mpi, kilobytes)))
        : Stream.empty();
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
        .contains("same order of messages: all 2 ranks");
  }

  private static final String RECORDED = "; the command exited with status 5";
  private static final String UNRECORDED = "runs without being recorded";

  /** Disks on which one file after the other of a recording finds no room; what is said of it. */
  private static Stream<Arguments> fullDisks() throws Exception {
    String noTrace = "trace: there was no room for a file";
    Stream<Arguments> places =
        Stream.of(
            fullDiskOf(2, "nr_inodes=1", "cannot create a run directory in ", UNRECORDED),
            fullDiskOf(2, "size=4k", "/run.json\n", UNRECORDED),
            fullDiskOf(2, "size=36k", "no rank left a " + noTrace, RECORDED),
            fullDiskOf(1, "size=90k", "inputs are not recorded", "there will be none of this rank"),
            // Room for one file of two: whoever comes first has it, or neither if both come at
            // once.
            fullDiskOf(2, "size=110k", noTrace, RECORDED));
    return mayMount() ? places : Stream.empty();
  }

  private static Arguments fullDiskOf(int ranks, String options, String... said) {
    return Arguments.of(ranks, options, List.of(said));
  }

  @ParameterizedTest(name = "{0} ranks, {1}: {2}", allowZeroInvocations = true)
  @MethodSource("fullDisks")
  void whereThereIsNoRoomTheProgramRunsAsWithoutReprise(
      int ranks, String options, List<String> said) throws Exception {
    Path program = bench.example(Mpi.OPEN_MPI, "order_sum");
    String job = Workbench.shell(Mpi.OPEN_MPI.job(ranks, program));
    Ran recording = recordOnDisk(Mpi.OPEN_MPI, options, "--events", job + "; exit 5");
    assertThat(recording.out()).as("%s", recording).startsWith("answer = ");
    assertThat(recording.err()).as("%s", recording).contains(said).doesNotContain("Exception");
    assertThat(recording.status()).as("%s", recording).isEqualTo(5);
  }

  private static Arguments fullDisk(String options, String... said) {
    return Arguments.of(options, List.of(said));
  }

  /** The same for the ranks of Reprise's own engine. */
  private static Stream<Arguments> fullDisksOfTheEngine() throws Exception {
    Stream<Arguments> places =
        Stream.of(
            fullDisk("nr_inodes=1", "cannot create a run directory in ", UNRECORDED),
            fullDisk("nr_inodes=2", "/run.json\n", UNRECORDED),
            fullDisk("size=4k", "cannot write the file of a rank", UNRECORDED),
            fullDisk(
                "size=20k",
                "a rank's inputs are not recorded",
                "standard input could not be kept",
                "the command exited with status 3"));
    return mayMount() ? places : Stream.empty();
  }

  @ParameterizedTest(name = "{0}: {1}", allowZeroInvocations = true)
  @MethodSource("fullDisksOfTheEngine")
  void whereThereIsNoRoomAJavaProgramRunsAsWithoutReprise(String options, List<String> said)
      throws Exception {
    Path disk = Files.createDirectory(bench.directory().resolve("disk"));
    bench.set("REPRISE_HOME", disk.toString());
    Path program = bench.directory().resolve("Greeting.java");
    Files.writeString(
        program,
        """
        class Greeting {
          public static void main(String[] words) throws Exception {
            mpi.MPI.Init(words);
            String line = new java.io.BufferedReader(new java.io.InputStreamReader(System.in)).readLine();
            System.out.println("hello " + line + (mpi.MPI.Wtime() > 0 ? "!" : "?"));
            mpi.MPI.Finalize();
            System.exit(3);
          }
        }
        """);
    List<String> words = List.of("record", "-n", "1", program.toString());
    Ran recording =
        bench.run(
            unshared(
                "mount -t tmpfs -o %s tmpfs %s && echo world | %s"
                    .formatted(options, disk, Workbench.shell(bench.java(words)))));
    assertThat(recording.out()).as("%s", recording).startsWith("hello world!");
    assertThat(recording.err()).as("%s", recording).contains(said).doesNotContain("Exception");
    assertThat(recording.status()).as("%s", recording).isEqualTo(3);
  }

  /** None where we may not mount. */
  private static Stream<Mpi> mpisWithADisk() throws Exception {
    return mayMount() ? DrawnMpi.Draw.of("disk").stream() : Stream.empty();
  }

  /** The last file that a rank begins. */
  @ParameterizedTest(name = "{0}", allowZeroInvocations = true)
  @MethodSource("mpisWithADisk")
  void whereThereIsNoRoomForCallSitesTheProgramGoesOn(Mpi mpi) throws Exception {
    String job = Workbench.shell(mpi.job(1, bench.example(mpi, "self_loop")));
    Ran recording = recordOnDisk(mpi, "size=310k", "--events", job + "; exit 5");
    assertThat(recording.out()).as("%s", recording).startsWith("elapsed = ");
    assertThat(recording.err())
        .as("%s", recording)
        .contains("No space left on device; events have no call sites", RECORDED);
    assertThat(recording.status()).as("%s", recording).isEqualTo(5);
  }

  @ParameterizedTest(name = "{0}", allowZeroInvocations = true)
  @MethodSource("mpisWithADisk")
  void whereThereIsNoRoomForTheEndOfTheRunItIsReplayedAllTheSame(Mpi mpi) throws Exception {
    String job = Workbench.shell(mpi.job(2, bench.example(mpi, "order_sum")));
    String fill = "; head -c 10M /dev/zero >disk/fill 2>/dev/null; exit 5";
    Ran both = recordOnDisk(mpi, "size=1m", "--no-inputs", job + fill, "replay");
    assertThat(both.err())
        .as("%s", both)
        .contains("how the run ended could not be written (No space left on device)")
        .contains(RECORDED, "the recorder was killed", "same order of messages: all 2 ranks")
        .doesNotContain("Exception");
    assertThat(both.status()).as("%s", both).isEqualTo(5);
  }

  /** Records what a shell does, on a disk that is gone afterwards; more commands may follow. */
  private Ran recordOnDisk(
      Mpi mpi, String mountOptions, String option, String script, String... more) throws Exception {
    Path disk = Files.createDirectory(bench.directory().resolve("disk"));
    bench.set("REPRISE_HOME", disk.toString());
    List<String> commands = new ArrayList<>();
    commands.add("mount -t tmpfs -o " + mountOptions + " tmpfs " + disk);
    // Of a shell nobody can tell which MPI it will use.
    String mpicc = "/usr/bin/" + mpi.mpicc();
    List<String> words = List.of("record", option, "--mpicc", mpicc, "--", "sh", "-c", script);
    commands.add("{ " + Workbench.shell(bench.java(words)));
    Stream.of(more).forEach(word -> commands.add(Workbench.shell(bench.java(List.of(word)))));
    return bench.run(unshared(String.join("; ", commands).replaceFirst("; ", " && ") + "; }"));
  }

  private static boolean mayMount() throws Exception {
    return new ProcessBuilder(unshared("mount -t tmpfs tmpfs /mnt")).start().waitFor() == 0;
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
        .contains("same order of messages: all 2 ranks");
    assertThat(replay.status()).as("%s", replay).isEqualTo(recording.status());
    assertThat(replay.out()).as("%s", replay).isNotEmpty();
  }
}
