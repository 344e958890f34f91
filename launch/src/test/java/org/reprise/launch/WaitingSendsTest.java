package org.reprise.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.reprise.launch.run.RecordRequest;
import org.reprise.launch.run.Recording;
import org.reprise.launch.run.Replay;
import org.reprise.launch.run.ReplayRequest;
import org.reprise.launch.verdict.StallWatch;
import org.reprise.launch.verdict.Verdict;
import org.reprise.trace.file.Wire;
import org.reprise.trace.run.RunStore;

/** Standard sends that wait for their receives: what only buffers keep from a deadlock has one. */
@Timeout(600)
class WaitingSendsTest {
  private static final List<String> HOW =
      List.of("send", "isend", "persistent", "exchange", "replace");

  /** What buffered.c sends. */
  private static final int BYTES = 100;

  @TempDir Path directory;

  static Stream<MpiUnderTest> mpis() {
    return MpiUnderTest.installed();
  }

  private Recording record(MpiUnderTest mpi, Path program, String how, int eager) {
    Engine engine =
        MpiUnderTest.engine(
            MpiUnderTest.surroundings(Map.of(Wire.ENV_EAGER, String.valueOf(eager))), _ -> {});
    return engine.record(
        new RunStore(directory.resolve("runs")),
        new RecordRequest(
                mpi.command(2, program, how), Optional.empty(), OptionalLong.empty(), true)
            .withOnDeadlock(RecordRequest.OnDeadlock.STOP),
        Recording::exitStatus);
  }

  @ParameterizedTest
  @MethodSource("mpis")
  void whatIsLongerThanTheBufferWaitsForItsReceive(MpiUnderTest mpi) {
    long seed = Long.getLong("reprise.seed", System.nanoTime());
    System.out.println("two kinds of sends with -Dreprise.seed=" + seed);
    List<String> drawn = new ArrayList<>(HOW);
    Collections.shuffle(drawn, new Random(seed));
    Path program = mpi.compile("buffered", directory);
    for (String how : drawn.subList(0, 2)) {
      Recording buffered = record(mpi, program, how, BYTES);
      assertThat(buffered.exitStatus()).as("%s of %d bytes, buffered", how, BYTES).isZero();
      Recording waiting = record(mpi, program, how, BYTES - 1);
      assertThat(waiting.end().isDeadlock()).as("%s that waits", how).isTrue();
      assertThat(String.join("\n", waiting.end().lines())).contains("in a circle");
    }
    assertThat(record(mpi, program, "facing", -1).exitStatus())
        .as("exchanges that face each other")
        .isZero();
  }

  /** The replay has the recorded setting, though nobody gives it: it comes to the same wait. */
  @ParameterizedTest
  @MethodSource("mpis")
  void aReplayWaitsWhereTheRecordingDid(MpiUnderTest mpi) {
    Path program = mpi.compile("buffered", directory);
    Recording waiting = record(mpi, program, "send", -1);
    ReplayRequest again =
        new ReplayRequest(
            waiting.run(),
            Optional.empty(),
            Optional.empty(),
            OptionalLong.empty(),
            Duration.ofSeconds(3),
            Optional.empty(),
            OptionalInt.empty(),
            true);
    Engine engine = MpiUnderTest.engine(MpiUnderTest.surroundings(Map.of()), _ -> {});
    List<Wire.State> left = new ArrayList<>();
    Replay replay =
        engine.replay(
            again,
            (scratch, _) ->
                StallWatch.headers(scratch).values().forEach(header -> left.add(header.state())));
    assertThat(replay.verdict()).isInstanceOf(Verdict.SameOrder.class);
    assertThat(left).as("no rank came behind its send").containsOnly(Wire.State.RUNNING);
  }
}
