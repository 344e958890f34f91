package org.reprise.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.reprise.trace.Rank;
import org.reprise.trace.run.RunDirectory;

/** A job that is being recorded is stopped and looked into, and its recording is as without. */
class AttachTest {
  private static final int RANKS = 4;
  private static final int LOOKS = 2;
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  @RegisterExtension private final Workbench bench = new Workbench();

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mpi.class)
  void allRanksStandAtAConsistentCutAndTheRecordingIsWhole(Mpi mpi) throws Exception {
    Path program = bench.compiled(mpi, "attached");
    Path stop = bench.directory().resolve("stop");
    Workbench.Running recording =
        bench.start(Workbench.words("record", List.of(), mpi.job(RANKS, program, stop)));
    try {
      RunDirectory run = awaitRanks(recording);
      look();
      killDebugger(run);
      Ran changing = bench.reprise("attach", "--batch", "-e", "set var sent[0] = 1");
      assertThat(changing.status()).as("%s", changing).isEqualTo(1);
      assertThat(changing.out()).contains("is not for a job that is being recorded");
    } finally {
      Files.createFile(stop);
    }
    Ran recorded = recording.end();
    assertThat(recorded.status()).as("%s", recorded).isZero();
    bench.latest().verify();
    Ran replayed = bench.replay();
    assertThat(replayed.status()).as("%s", replayed).isZero();
    assertThat(sorted(replayed.out())).isEqualTo(sorted(recorded.out()));
    Ran late = bench.reprise("attach", "--batch", "-e", "where");
    assertThat(late.err()).as("%s", late).contains("is not being recorded");
  }

  private static List<String> sorted(String out) {
    return out.lines().filter(line -> line.contains("of rank 0")).sorted().toList();
  }

  private RunDirectory awaitRanks(Workbench.Running recording) throws InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (recording.isAlive() && System.nanoTime() < end) {
      if (bench.store().latestIfAny().filter(run -> run.ranks().size() == RANKS).isPresent()) {
        return bench.store().latest();
      }
      Thread.sleep(20);
    }
    throw new AssertionError("the ranks have not begun");
  }

  /** What was received of a rank, that rank has sent; and from one look to the next they go on. */
  private void look() {
    List<String> words = new ArrayList<>(List.of("attach", "--batch", "--format", "json"));
    for (int i = 0; i < LOOKS; i++) {
      words.addAll(List.of("-e", "print sent", "-e", "print received", "-e", "continue 1s"));
    }
    words.addAll(List.of("-e", "where", "-e", "stack"));
    Ran attached = bench.reprise(words.toArray(String[]::new));
    assertThat(attached.status()).as("%s", attached).isZero();
    List<Map<?, ?>> answers = attached.out().lines().<Map<?, ?>>map(DebugTest::json).toList();
    long before = -1;
    for (int i = 0; i < LOOKS; i++) {
      long[][] sent = numbers(DebugTest.byRank(answers.get(3 * i)));
      long[][] received = numbers(DebugTest.byRank(answers.get(3 * i + 1)));
      long all = 0;
      for (int rank = 0; rank < RANKS; rank++) {
        for (int other = 0; other < RANKS; other++) {
          assertThat(received[rank][other])
              .as("rank %s of %s: %s", rank, other, attached)
              .isLessThanOrEqualTo(sent[other][rank]);
          all += received[rank][other];
        }
      }
      assertThat(all).as("%s", attached).isGreaterThan(before);
      before = all;
    }
    assertThat(String.valueOf(answers.getLast().get("groups"))).contains("main attached.c:");
  }

  private static long[][] numbers(SortedMap<Integer, String> texts) {
    assertThat(texts).hasSize(RANKS);
    return texts.values().stream()
        .map(
            text ->
                Stream.of(text.replaceAll(" <repeats \\d+ times>|[{}]", "").split(", "))
                    .limit(RANKS)
                    .mapToLong(Long::parseLong)
                    .toArray())
        .toArray(long[][]::new);
  }

  /** Killed while its ranks stand, it leaves no gdb, and nobody stands. */
  private void killDebugger(RunDirectory run) throws Exception {
    long[] pids = run.ranks().stream().mapToLong(rank -> run.header(rank).pid()).toArray();
    int before = bench.processes().alive().size();
    Workbench.Running debugger =
        bench.start(List.of("attach", "--batch", "-e", "continue 1ms", "-e", "continue 10m"));
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!allTraced(pids) && debugger.isAlive() && System.nanoTime() < end) {
      Thread.onSpinWait();
    }
    assertThat(allTraced(pids)).isTrue();
    ProcessHandle.of(debugger.pid()).ifPresent(ProcessHandle::destroyForcibly);
    debugger.end();
    while ((anyTraced(pids) || bench.processes().alive().size() > before)
        && System.nanoTime() < end) {
      Thread.sleep(20);
    }
    assertThat(bench.processes().alive()).hasSizeLessThanOrEqualTo(before);
    long calls = run.header(new Rank(0)).calls();
    while (run.header(new Rank(0)).calls() <= calls && System.nanoTime() < end) {
      Thread.sleep(20);
    }
    assertThat(run.header(new Rank(0)).calls()).as("rank 0 goes on").isGreaterThan(calls);
  }

  private static boolean allTraced(long[] pids) throws Exception {
    for (long pid : pids) {
      if (!isTraced(pid)) {
        return false;
      }
    }
    return true;
  }

  private static boolean anyTraced(long[] pids) throws Exception {
    for (long pid : pids) {
      if (isTraced(pid)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isTraced(long pid) throws Exception {
    return Files.readAllLines(Path.of("/proc", Long.toString(pid), "status")).stream()
        .anyMatch(line -> line.startsWith("TracerPid:") && !line.endsWith("\t0"));
  }
}
