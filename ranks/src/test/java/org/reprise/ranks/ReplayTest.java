package org.reprise.ranks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.reprise.ranks.Programs.complete;
import static org.reprise.ranks.Programs.irecv;
import static org.reprise.ranks.Programs.mpi;
import static org.reprise.ranks.Programs.recv;
import static org.reprise.ranks.Programs.send;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.reprise.ranks.engine.RankProgram;
import org.reprise.ranks.fabric.CompletionMode;
import org.reprise.ranks.fabric.CurrentRank;
import org.reprise.ranks.fabric.Fabric;
import org.reprise.ranks.fabric.MpiCall;
import org.reprise.ranks.fabric.Operation;
import org.reprise.trace.Rank;
import org.reprise.trace.TraceError;
import org.reprise.trace.file.RankHeader;
import org.reprise.trace.file.Wire;
import org.reprise.trace.order.OrderWriter;
import org.reprise.trace.order.Outcome;
import org.reprise.trace.run.RecordedRun;
import org.reprise.trace.run.RunDirectory;

/** Runs repeat: by their seed, by their choices, by their trace. */
class ReplayTest {
  @TempDir Path directory;

  private static List<List<String>> run(Script script, Schedule schedule) {
    List<Script.Log> logs = new ArrayList<>();
    EmbeddedJob.run(JobRequest.of(script.ranks().size(), schedule), script.program(logs));
    return Script.lines(logs);
  }

  @Test
  void aSeededRunRepeatsExactlyAndIsAmongTheEnumeratedOnes() {
    for (int i = 0; i < 40; i++) {
      long seed = 40_000L + i;
      Script script = new RandomScripts(seed, true, i % 2 == 1).next();
      Set<List<List<String>>> enumerated = new HashSet<>();
      List<Script.Log> logs = new ArrayList<>();
      Enumeration.explore(
          Enumeration.Request.of(script.ranks().size()),
          () -> script.program(logs),
          execution -> enumerated.add(Script.lines(logs)));
      for (int draw = 0; draw < 10; draw++) {
        List<List<String>> seen = run(script, new Schedule.Seeded(draw));
        assertThat(run(script, new Schedule.Seeded(draw))).as("seed %d", seed).isEqualTo(seen);
        assertThat(enumerated).as("seed %d, script %s", seed, script).contains(seen);
      }
    }
  }

  @Test
  void everyEnumeratedExecutionReplaysToItself() throws Exception {
    for (int i = 0; i < 8; i++) {
      long seed = 50_000L + i;
      Script script = new RandomScripts(seed, true, i % 2 == 1).next();
      List<Script.Log> logs = new ArrayList<>();
      List<Enumeration.Execution> executions = new ArrayList<>();
      List<List<List<String>>> seen = new ArrayList<>();
      Enumeration.explore(
          new Enumeration.Request(script.ranks().size(), false, 1, 25),
          () -> script.program(logs),
          execution -> executions.add(execution) && seen.add(Script.lines(logs)));
      for (int e = 0; e < executions.size(); e++) {
        String name = i + "-" + e;
        Schedule again = new Schedule.Chosen(executions.get(e).choices());
        RecordedRun recorded =
            Recordings.record(directory, name, script.ranks().size(), again, script.program(logs));
        assertThat(Script.lines(logs)).as("seed %d", seed).isEqualTo(seen.get(e));
        replaysToItself(name, recorded, script, logs, seen.get(e), "seed " + seed);
      }
    }
  }

  private void replaysToItself(
      String name,
      RecordedRun recorded,
      Script script,
      List<Script.Log> logs,
      List<List<String>> seen,
      String where)
      throws Exception {
    RunDirectory scratch =
        Recordings.replay(directory, name + "-replay", recorded, script.program(logs));
    assertThat(Script.lines(logs)).as("%s, script %s", where, script).isEqualTo(seen);
    for (Rank rank : recorded.headers().keySet()) {
      RankHeader then = recorded.directory().header(rank);
      RankHeader now = scratch.header(rank);
      assertThat(now.divergence()).as(where).isEmpty();
      assertThat(now.orderHash()).as(where).isEqualTo(then.orderHash());
      assertThat(now.events()).as(where).isEqualTo(then.events());
    }
  }

  @Test
  void freeRunsReplayToTheSameOrderUnderLoad() throws Exception {
    boolean[] over = new boolean[1];
    Thread load =
        Thread.ofPlatform()
            .daemon()
            .start(
                () -> {
                  while (!isOver(over)) {
                    Thread.onSpinWait();
                  }
                });
    try {
      for (int i = 0; i < 25; i++) {
        long seed = 60_000L + i;
        Script script = new RandomScripts(seed, true, i % 2 == 1).next();
        List<Script.Log> logs = new ArrayList<>();
        RecordedRun recorded =
            Recordings.record(
                directory,
                "free-" + i,
                script.ranks().size(),
                new Schedule.Free(OptionalLong.of(seed)),
                script.program(logs));
        replaysToItself("free-" + i, recorded, script, logs, Script.lines(logs), "seed " + seed);
      }
    } finally {
      synchronized (over) {
        over[0] = true;
      }
      load.join();
    }
  }

  private static boolean isOver(boolean[] over) {
    synchronized (over) {
      return over[0];
    }
  }

  @Test
  void theFileHoldsWhatTheInterposerWouldWrite() throws Exception {
    RecordedRun recorded =
        Recordings.record(
            directory,
            "outcomes",
            2,
            new Schedule.Seeded(3),
            rank -> {
              if (rank == 1) {
                for (int tag = 0; tag < 4; tag++) {
                  send(0, tag, tag);
                }
                return;
              }
              recv(Fabric.ANY_SOURCE, 0);
              recv(1, Fabric.ANY_TAG);
              Operation first = irecv(Fabric.ANY_SOURCE, 2);
              Operation never = irecv(Fabric.ANY_SOURCE, 77);
              complete(CompletionMode.WAIT_ANY, never, first);
              recv(1, 3);
              mpi().finish();
            });
    List<Outcome> outcomes = new ArrayList<>();
    try (var order = recorded.directory().openOrder(new Rank(0))) {
      order.forEachRemaining(next -> outcomes.add(next.outcome()));
    }
    assertThat(outcomes)
        .map(Object::toString)
        .containsExactly(
            "Recv[source=1, tag=OptionalInt.empty]",
            "Recv[source=1, tag=OptionalInt[1]]",
            "Index[index=OptionalInt[1]]",
            "Post[post=0, source=1, tag=OptionalInt.empty]",
            "PostEnd[post=1, end=NEVER]");
    RankHeader header = recorded.directory().header(new Rank(0));
    assertThat(header.state()).isEqualTo(Wire.State.FINALIZED);
    assertThat(header.receives()).isEqualTo(4);
    assertThat(header.events()).isEqualTo(5);
    assertThat(header.callCount(MpiCall.RECV.ordinal())).isEqualTo(3);
  }

  @Test
  void aProgramThatDoesSomethingElseIsToldWhere() throws Exception {
    RecordedRun recorded =
        Recordings.record(
            directory, "as-it-was", 2, new Schedule.Free(), rank -> twoMessages(rank, false));
    RunDirectory scratch =
        Recordings.replay(directory, "changed", recorded, rank -> twoMessages(rank, true));
    assertThat(scratch.header(new Rank(0)).divergence()).isPresent();
    assertThat(scratch.header(new Rank(0)).divergence().orElseThrow().what())
        .isEqualTo(Wire.DivergenceKind.OTHER_CALL);
    assertThat(scratch.header(new Rank(0)).divergence().orElseThrow().call())
        .isEqualTo(MpiCall.PROBE.ordinal());
  }

  private static void twoMessages(int rank, boolean probes) {
    if (rank == 1) {
      send(0, 0, 1);
      send(0, 0, 2);
    } else {
      recv();
      if (probes) {
        mpi().probe(mpi().world(), Fabric.ANY_SOURCE, 0);
      }
      recv();
    }
    mpi().finish();
  }

  @Test
  void inputsAreGivenBack() throws Exception {
    List<Long> read = new ArrayList<>();
    RankProgram program =
        rank -> {
          read.add(CurrentRank.inputs().nanoTime());
          read.add(CurrentRank.inputs().wallNanos());
          read.add(CurrentRank.inputs().randomLong());
          read.add(CurrentRank.inputs().nanoTime());
          mpi().finish();
        };
    RecordedRun recorded = Recordings.record(directory, "inputs", 1, new Schedule.Free(), program);
    List<Long> then = List.copyOf(read);
    read.clear();
    RunDirectory scratch = Recordings.replay(directory, "inputs-again", recorded, program);
    assertThat(read).isEqualTo(then);
    assertThat(scratch.header(new Rank(0)).get(org.reprise.trace.file.HeaderField.INPUTS_UNMATCHED))
        .isZero();
    assertThat(Files.exists(recorded.directory().inputsFile(new Rank(0)))).isTrue();
  }

  @Test
  void seededInputsComeFromTheSeed() {
    List<List<Long>> read = new ArrayList<>();
    for (long seed : new long[] {5, 5, 6}) {
      List<Long> own = new ArrayList<>();
      EmbeddedJob.run(
          JobRequest.of(1, new Schedule.Seeded(seed)),
          rank -> {
            own.add(CurrentRank.inputs().randomLong());
            own.add(CurrentRank.inputs().nanoTime());
          });
      read.add(own);
    }
    assertThat(read.get(0)).isEqualTo(read.get(1)).isNotEqualTo(read.get(2));
  }

  @Test
  void aRecordedDeadlockIsReachedAgain() throws Exception {
    RankProgram program =
        rank -> {
          if (rank == 0) {
            recv();
            recv(1, 9);
          } else {
            send(0, 0, 1);
            recv(0, 9);
          }
        };
    RecordedRun recorded = Recordings.record(directory, "stuck", 2, new Schedule.Free(), program);
    RunDirectory scratch = Recordings.replay(directory, "stuck-again", recorded, program);
    assertThat(scratch.header(new Rank(0)).has(Wire.Flag.REACHED_END)).isTrue();
    assertThat(scratch.header(new Rank(0)).divergence()).isEmpty();
    assertThat(recorded.directory().header(new Rank(0)).currentCall())
        .hasValue(MpiCall.RECV.ordinal());
  }

  @Test
  void aJvmThatIsKilledLeavesARunThatCanBeRead() throws Exception {
    RunDirectory run = Recordings.begin(directory, "killed", 3);
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                KilledJob.class.getName(),
                run.path().toString())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("output").toFile())
            .start();
    try {
      while (process.isAlive() && counted(run) < 2_000) {
        Thread.sleep(5);
      }
    } finally {
      process.destroyForcibly().waitFor();
    }
    assertThat(directory.resolve("output")).isEmptyFile();
    RecordedRun recorded = RecordedRun.open(run);
    recorded.verify();
    RankHeader header = run.header(new Rank(0));
    assertThat(header.state()).isEqualTo(Wire.State.RUNNING);
    assertThat(header.outcomes()).isGreaterThanOrEqualTo(2_000);
    assertThat(header.events()).isGreaterThanOrEqualTo(2_000);
  }

  /** Outcomes or events, whichever are fewer: neither is counted at the same moment. */
  private static long counted(RunDirectory run) {
    try {
      if (!Files.exists(run.orderFile(new Rank(0)))) {
        return 0;
      }
      RankHeader header = run.header(new Rank(0));
      return Math.min(header.outcomes(), header.events());
    } catch (TraceError e) {
      return 0; // It has no header yet.
    }
  }

  /**
   * In a distilled run a receive that has no choice stands between the polls of before and after.
   */
  @Test
  void aReceiveThatIsNotForcedKeepsTheFailedPollsBehindIt() throws Exception {
    List<Integer> failures = new ArrayList<>();
    RankProgram program =
        rank -> {
          mpi().init();
          if (rank == 1) {
            send(0, 1);
            send(0, 2);
          } else {
            mpi().iprobe(mpi().world(), 1, 9);
            recv(Fabric.ANY_SOURCE, 1);
            int failed = 0;
            while (mpi().iprobe(mpi().world(), 1, 2).isEmpty()) {
              failed++;
            }
            failures.add(failed);
            recv(1, 2);
          }
          mpi().finish();
        };
    RecordedRun recorded =
        Recordings.record(directory, "polls", 2, new Schedule.Seeded(1), program);
    RunDirectory distilled = Recordings.begin(directory, "distilled", 2);
    Rank zero = new Rank(0);
    Rank one = new Rank(1);
    Files.copy(recorded.directory().orderFile(one), distilled.orderFile(one));
    try (OrderWriter order =
        new OrderWriter(distilled.orderFile(zero), recorded.directory().header(zero))) {
      order.write(new Outcome.FailedPolls(2));
      order.write(new Outcome.Free(1));
      order.write(new Outcome.FailedPolls(3));
      order.write(new Outcome.Hit(Wire.Poll.IPROBE));
    }
    Recordings.replay(directory, "replay", RecordedRun.open(distilled), program);
    assertThat(failures.getLast()).isEqualTo(3);
  }
}
