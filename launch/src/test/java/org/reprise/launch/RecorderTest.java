package org.reprise.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.reprise.launch.interposer.CallTable;
import org.reprise.launch.mpi.Recorder;
import org.reprise.launch.run.RecordRequest;
import org.reprise.launch.run.Recording;
import org.reprise.launch.run.ReplayRequest;
import org.reprise.trace.Rank;
import org.reprise.trace.TraceError;
import org.reprise.trace.UserError;
import org.reprise.trace.file.HeaderField;
import org.reprise.trace.file.RankHeader;
import org.reprise.trace.file.Wire;
import org.reprise.trace.order.OrderWriter;
import org.reprise.trace.order.Outcome;
import org.reprise.trace.run.Ending;
import org.reprise.trace.run.RunDescription;
import org.reprise.trace.run.RunSeal;
import org.reprise.trace.run.RunStore;

/**
 * Recording seen from outside the ranks. The program is a double: a shell script that leaves rank
 * files which were written beforehand.
 */
@Timeout(60)
class RecorderTest {
  @TempDir Path directory;
  private RunStore store = new RunStore(Path.of("unset"));
  private Path leaves = Path.of("unset");

  @BeforeEach
  void open() throws Exception {
    store = new RunStore(directory.resolve("runs"));
    leaves = Files.createDirectory(directory.resolve("leaves"));
  }

  private RankHeader header(int rank, int ranks) {
    return RankHeader.create(Wire.FileKind.ORDER, Wire.Mode.RECORD, new Rank(rank), ranks)
        .with(HeaderField.STATE, Wire.State.FINALIZED.ordinal())
        .withCallCount(0, 3);
  }

  private void leave(RankHeader header) {
    Path file = leaves.resolve("rank-" + header.rank().number() + ".order");
    try (OrderWriter writer = new OrderWriter(file, header)) {
      writer.write(new Outcome.Recv(0, OptionalInt.empty()));
    }
  }

  private Recording record(String script) throws Exception {
    Path program = new FakeMpi(directory).script("program", script);
    return record(List.of(program.toString()));
  }

  private Recording record(List<String> command) {
    Optional<Path> mpicc = MpiUnderTest.installed().findFirst().flatMap(MpiUnderTest::compiler);
    Assumptions.assumeTrue(mpicc.isPresent(), "no MPI is installed");
    return new Recorder(store, MpiUnderTest.surroundings(Map.of()))
        .record(new RecordRequest(command, mpicc, OptionalLong.empty(), true));
  }

  private String leaving(String rest) {
    return "cp " + leaves + "/* \"$REPRISE_RUN\"\n" + rest + "\n";
  }

  private static int call(String name) {
    return CallTable.ofInterposer().names().indexOf(name);
  }

  @Test
  void whatTheRanksLeftIsTheRun() throws Exception {
    leave(header(0, 2));
    leave(header(1, 2).with(HeaderField.FLAGS, 16).with(HeaderField.EXIT_CODE, 5));
    Recording recording = record(leaving("exit 5"));
    assertThat(recording.exitStatus()).isEqualTo(5);
    assertThat(recording.warnings()).isEmpty();
    assertThat(recording.run().name()).isEqualTo("program-1");
    assertThat(recording.summary().orElseThrow().calls()).isEqualTo(6);
    assertThat(recording.run().description()).isEqualTo(recording.description());
    assertThat(recording.description().ending()).isEqualTo(new Ending.Exited(5));
    assertThat(recording.description().ranks()).isEqualTo(2);
    assertThat(recording.description().rankEnds())
        .extracting(end -> end.exitCode())
        .containsExactly(OptionalInt.empty(), OptionalInt.of(5));
    assertThat(recording.description().program().orElseThrow().sha256()).hasSize(64);
    assertThat(store.latest()).isEqualTo(recording.run());
  }

  @Test
  void theStatusIsTheProgramsThoughItsEndCannotBeWritten() throws Exception {
    leave(header(0, 1));
    Recording recording =
        record(leaving("mkdir -p \"$REPRISE_RUN/run.json.new/in-the-way\"; exit 5"));
    assertThat(recording.exitStatus()).isEqualTo(5);
    assertThat(recording.summary().orElseThrow().calls()).isEqualTo(3);
    assertThat(recording.warnings())
        .singleElement()
        .asString()
        .startsWith("how the run ended could not be written (")
        .contains("a replay takes it for a run whose recorder was killed");
    RunDescription left = recording.run().description();
    assertThat(left.ending()).isEqualTo(new Ending.Unfinished());
    // The seal is that of its beginning, and so is what it says.
    RunSeal seal = RunSeal.of(MpiUnderTest.surroundings(Map.of()).environment());
    assertThat(seal.doubt(recording.run(), left)).isEmpty();
  }

  @Test
  void aRankThatFoundNoRoomSaysSo() throws Exception {
    leave(header(0, 3));
    Recording recording = record(leaving("touch \"$REPRISE_RUN/rank-2.full\""));
    assertThat(recording.warnings())
        .anyMatch(w -> w.startsWith("rank 1 left no trace: the job ended before MPI_Init"))
        .anyMatch(w -> w.startsWith("rank 2 left no trace: there was no room for a file"));
  }

  @Test
  void theProgramIsToldWhatToDo() throws Exception {
    Path seen = directory.resolve("seen");
    record("env >" + seen + "\n");
    assertThat(Files.readString(seen))
        .contains("REPRISE_MODE=record\n")
        .contains("REPRISE_RUN=" + store.home() + "/program-1\n")
        .containsPattern("LD_PRELOAD=.*/libreprise-[0-9a-f]+\\.so\n");
  }

  @Test
  void whatIsNotRecordedIsSaidByNameAndCount() throws Exception {
    List<CallTable.Call> refused =
        CallTable.ofInterposer().calls().stream().filter(CallTable.Call::isRefused).toList();
    String name = refused.getFirst().name();
    leave(header(0, 4).withCallCount(call(name), 3).with(HeaderField.FLAGS, 2 + 4 + 64));
    leave(header(1, 4).withCallCount(call(name), 1).with(HeaderField.FLAGS, 1 + 32));
    Recording recording = record(leaving(""));
    StringBuilder text = new StringBuilder();
    for (String warning : recording.warnings()) {
      text.append(warning.replace("MPI_" + name, "MPI_Xyz")).append('\n');
    }
    Golden.assertMatches("warnings.txt", text.toString());
  }

  @Test
  void aCommandWithoutRanksSaysWhy() throws Exception {
    Recording recording = record("exit 3\n");
    assertThat(recording.exitStatus()).isEqualTo(3);
    assertThat(recording.summary()).isEmpty();
    assertThat(recording.warnings()).hasSize(1);
    Golden.assertMatches("no-trace.txt", recording.warnings().getFirst() + "\n");
    assertThat(store.latestIfAny()).as("there is nothing to replay in it").isEmpty();
    leave(header(0, 1));
    Recording good = record(leaving(""));
    record("exit 3\n");
    assertThat(store.latest()).isEqualTo(good.run());
  }

  @Test
  void aFileWithoutAHeaderWasLeftByARankThatDiedAtOnce() throws Exception {
    leave(header(0, 2));
    Files.write(leaves.resolve("rank-1.order"), new byte[Wire.HEADER_BYTES]);
    Recording recording = record(leaving("kill -9 $$"));
    assertThat(recording.exitStatus()).isEqualTo(137);
    assertThat(recording.description().ending()).isEqualTo(new Ending.Killed(9));
    assertThat(recording.warnings())
        .containsExactly("rank 1 left no trace: the job ended before MPI_Init was over");
  }

  @Test
  void aCommandThatCannotStartLeavesNoRun() {
    assertThatThrownBy(() -> record(List.of("/no/such/program")))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("cannot start /no/such/program");
    assertThat(store.list()).isEmpty();
    assertThat(store.home()).isEmptyDirectory();
    assertThatThrownBy(() -> record(List.of())).hasMessageContaining("no command");
  }

  @Test
  void aRunIsNotReplayedWhileItIsRecorded() throws Exception {
    leave(header(0, 1));
    Path go = directory.resolve("go");
    CompletableFuture<Recording> recording =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return record(leaving("while ! test -e " + go + "; do sleep 0.05; done"));
              } catch (Exception e) {
                throw new AssertionError(e);
              }
            });
    while (!Files.exists(store.home().resolve("latest/rank-0.order")) && !recording.isDone()) {
      Thread.sleep(10);
    }
    try {
      Assumptions.assumeFalse(recording.isDone(), "no MPI is installed");
      Engine engine = MpiUnderTest.engine(MpiUnderTest.surroundings(Map.of()), note -> {});
      assertThatThrownBy(() -> engine.replay(ReplayRequest.of(store.latest())))
          .hasMessageContaining("program-1 is still being recorded");
    } finally {
      Files.createFile(go);
      recording.get(30, TimeUnit.SECONDS);
    }
  }

  @Test
  void damageIsMetBeforeTheReplayStartsAnything() throws Exception {
    leave(header(0, 1));
    Path started = directory.resolve("started");
    Recording recording = record(leaving("echo x >>" + started));
    Path order = recording.run().orderFile(new Rank(0));
    byte[] bytes = Files.readAllBytes(order);
    bytes[Wire.HEADER_BYTES] = 0;
    Files.write(order, bytes);
    Engine engine = MpiUnderTest.engine(MpiUnderTest.surroundings(Map.of()), note -> {});
    assertThatThrownBy(() -> engine.replay(ReplayRequest.of(recording.run())))
        .isInstanceOf(TraceError.class)
        .hasMessageContaining("is damaged at byte 8192");
    assertThat(started).hasContent("x\n");
  }
}
