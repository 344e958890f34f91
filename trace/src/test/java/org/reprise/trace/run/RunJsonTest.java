package org.reprise.trace.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.reprise.trace.MpiFamily;
import org.reprise.trace.Rank;
import org.reprise.trace.TraceError;
import org.reprise.trace.file.Wire;

class RunJsonTest {
  @TempDir Path directory;

  static RunDescription description() {
    return withEnvironment(Map.of("OMPI_MCA_btl", "self,tcp", "PATH", "/usr/bin"));
  }

  static RunDescription withEnvironment(Map<String, String> environment) {
    return new RunDescription(
        "0.1.0",
        Wire.VERSION,
        "bank-3",
        List.of("mpirun", "-n", "4", "./bank", "a \"b\"\n", "ü"),
        "/home/ada/bank",
        Optional.of(new RunDescription.Program("/home/ada/bank/bank", "00ff", 12345)),
        new RunDescription.Mpi(MpiFamily.OPEN_MPI, "Open MPI 4.1.4", "/usr/bin/mpicc"),
        0,
        List.of(),
        new TreeMap<>(environment),
        true,
        OptionalLong.of(7),
        false,
        OptionalLong.empty(),
        List.of("Init", "Recv"),
        Instant.parse("2025-01-01T10:00:00Z"),
        Optional.empty(),
        new Ending.Unfinished(),
        List.of(),
        new RunDescription.RecorderProcess(17, "host", Instant.parse("2025-01-01T09:59:59Z")),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        false);
  }

  static RunDescription ended() {
    return ended(
        List.of(
            new RunDescription.RankEnd(new Rank(0), Wire.State.EXITED, OptionalInt.of(3), "a"),
            new RunDescription.RankEnd(new Rank(1), Wire.State.RUNNING, OptionalInt.empty(), "b")));
  }

  static RunDescription ended(List<RunDescription.RankEnd> rankEnds) {
    return description()
        .ended(
            new Ending.Killed(11),
            Instant.parse("2025-01-01T10:00:05Z"),
            2,
            List.of("a", "b"),
            rankEnds,
            OptionalLong.of(5));
  }

  @Test
  void aRunThatFollowsAnotherSaysWhichAndWhatWasChanged() throws Exception {
    RunDescription.Change change =
        new RunDescription.Change(
            "the receive took the message of rank 2",
            List.of(
                new RunDescription.Choice(new Rank(0), 12, Optional.of(new Rank(1)), new Rank(2)),
                new RunDescription.Choice(new Rank(3), 0, Optional.empty(), new Rank(0))));
    RunDescription run =
        ended().with().name("bank-4").follows(ended(), Optional.of(change)).build();
    Path file = Files.write(directory.resolve("run.json"), RunJson.write(run));
    assertThat(RunJson.read(file)).isEqualTo(run);
    assertThat(RunJson.read(file).parent()).contains("bank-3");
    Files.writeString(file, Files.readString(file).replace("\"event\" : 12", "\"event\" : -1"));
    assertThatThrownBy(() -> RunJson.read(file)).isInstanceOf(TraceError.class);
  }

  @Test
  void aClockThatIsSetBackMakesNoDurationNegative() {
    RunDescription begun = description();
    assertThat(begun.took()).isEmpty();
    for (int seconds : new int[] {-60, 0, 60}) {
      RunDescription ended =
          begun.ended(
              new Ending.Exited(0),
              begun.started().plusSeconds(seconds),
              1,
              List.of(),
              List.of(),
              OptionalLong.empty());
      assertThat(ended.took()).contains(Duration.ofSeconds(Math.max(0, seconds)));
    }
  }

  @Test
  void standardInputThatIsNotThereWasNotKept() throws Exception {
    String kept =
        new String(RunJson.write(description()), StandardCharsets.UTF_8)
            .replace("\"stdinKept\" : false", "\"stdinKept\" : true");
    RunDescription begun = RunJson.read(Files.writeString(directory.resolve("run.json"), kept));
    assertThat(begun.stdinKept()).isTrue();
    for (OptionalLong bytes : List.of(OptionalLong.of(0), OptionalLong.empty())) {
      RunDescription ended =
          begun.ended(new Ending.Exited(0), begun.started(), 1, List.of(), List.of(), bytes);
      assertThat(ended.stdinKept()).isEqualTo(bytes.isPresent());
    }
  }

  @Test
  void aDescriptionComesBack() {
    RunDirectory run = new RunDirectory(directory);
    for (RunDescription description : List.of(description(), ended())) {
      run.describe(description);
      assertThat(run.description()).isEqualTo(description);
    }
    assertThat(directory).isDirectoryNotContaining(file -> !file.endsWith("run.json"));
  }

  @Test
  void fieldsOfANewerRepriseAreIgnored() throws Exception {
    String json = new String(RunJson.write(ended()), StandardCharsets.UTF_8);
    Path file =
        Files.writeString(
            directory.resolve("run.json"),
            json.replaceFirst("\\{", "{ \"weather\": {\"sun\": [1, null, 2.5, true]},"));
    assertThat(RunJson.read(file)).isEqualTo(ended());
  }

  @Test
  void anotherFormatNamesItsReprise() throws Exception {
    Path file =
        Files.writeString(
            directory.resolve("run.json"), "{\"format\": 9, \"reprise\": \"3.0\", \"x\": 1}");
    assertThatThrownBy(() -> RunJson.read(file))
        .isInstanceOf(TraceError.class)
        .hasMessageContaining("was written in run format 9; this Reprise reads 1")
        .hasMessageContaining("written by Reprise 3.0");
  }

  @Test
  void aMissingFieldIsNamed() throws Exception {
    Path file = Files.writeString(directory.resolve("run.json"), "{\"format\": 1}");
    assertThatThrownBy(() -> RunJson.read(file))
        .isInstanceOf(TraceError.class)
        .hasMessageContaining("field \"mpi\" is missing");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "\"callNames\" : [ \"Init\" | \"callNames\" : [ \"\\u001b[2J\" | callNames",
        "\"ranks\" : 2 | \"ranks\" : -1 | ranks",
        "\"ranks\" : 2 | \"ranks\" : 2000000000 | ranks",
        "\"stdinBytes\" : 5 | \"stdinBytes\" : -5 | stdinBytes",
        "\"rank\" : 1 | \"rank\" : -1 | rank",
        "\"rank\" : 1 | \"rank\" : 0 | rankEnds",
        "\"size\" : 12345 | \"size\" : -1 | size",
        "2025-01-01T10:00:05Z | +1000000000-12-31T23:59:59.999999999Z | ended",
        "2025-01-01T10:00:00Z | -1000000000-01-01T00:00:00Z | started",
        "/home/ada/bank\", | elsewhere\", | directory",
        "/home/ada/bank\", | /home/\\u0000\", | directory",
        "/home/ada/bank\", | /home/\\ud800\", | directory",
        "/usr/bin/mpicc | /usr/bin/\\ud800 | mpicc",
        "mpirun | mpi\\u0000run | command",
        "self,tcp | self\\u0000 | environment"
      })
  void aValueThatCannotBeIsNamed(String from, String to, String field) throws Exception {
    String json = new String(RunJson.write(ended()), StandardCharsets.UTF_8);
    assertThat(json).contains(from);
    Path file = Files.writeString(directory.resolve("run.json"), json.replace(from, to));
    assertThatThrownBy(() -> RunJson.read(file))
        .isInstanceOf(TraceError.class)
        .hasMessageContaining("field \"" + field + "\" is not what it should be");
  }

  @Test
  void whatIsOnlyShownHoldsNoEscapeSequences() throws Exception {
    String json =
        new String(RunJson.write(ended()), StandardCharsets.UTF_8)
            .replace("Open MPI 4.1.4", "\\u001b]0;evil\\u0007\\u202e")
            .replace("\"host\" : \"a\"", "\"host\" : \"\\nreprise: done\"");
    RunDescription run = RunJson.read(Files.writeString(directory.resolve("run.json"), json));
    assertThat(run.mpi().version()).isEqualTo("\\u001b]0;evil\\u0007\\u202e");
    assertThat(run.rankEnds().getFirst().host()).isEqualTo("\\nreprise: done");
  }

  @Test
  void deepNestingIsRefused() throws Exception {
    Path file =
        Files.writeString(
            directory.resolve("run.json"), "{\"a\":" + "[".repeat(100_000) + "]".repeat(100_000));
    assertThatThrownBy(() -> RunJson.read(file)).isInstanceOf(TraceError.class);
  }

  @Test
  void onlySomeOfTheEnvironmentMatters() {
    Map<String, String> environment =
        Map.of("OMPI_MCA_x", "1", "HOME", "/root", "PATH", "/bin", "EDITOR", "vi", "FI_X", "2");
    assertThat(RecordedEnvironment.of(environment)).containsOnlyKeys("OMPI_MCA_x", "PATH", "FI_X");
  }

  @Test
  void anExitStatusAbove128IsASignal() {
    assertThat(Ending.ofExitStatus(3)).isEqualTo(new Ending.Exited(3));
    assertThat(Ending.ofExitStatus(139)).isEqualTo(new Ending.Killed(11));
    assertThat(Ending.ofExitStatus(255)).isEqualTo(new Ending.Exited(255));
  }
}
