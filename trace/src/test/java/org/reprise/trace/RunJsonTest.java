package org.reprise.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunJsonTest {
  @TempDir Path directory;

  static RunDescription description() {
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
        new TreeMap<>(Map.of("OMPI_MCA_btl", "self,tcp", "PATH", "/usr/bin")),
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
        Optional.empty());
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
    assertThat(RunDescription.environmentThatMatters(environment))
        .containsOnlyKeys("OMPI_MCA_x", "PATH", "FI_X");
  }

  @Test
  void anExitStatusAbove128IsASignal() {
    assertThat(Ending.ofExitStatus(3)).isEqualTo(new Ending.Exited(3));
    assertThat(Ending.ofExitStatus(139)).isEqualTo(new Ending.Killed(11));
    assertThat(Ending.ofExitStatus(255)).isEqualTo(new Ending.Exited(255));
  }
}
