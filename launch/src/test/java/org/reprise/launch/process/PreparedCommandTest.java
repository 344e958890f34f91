package org.reprise.launch.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.reprise.launch.FakeMpi;
import org.reprise.trace.MpiFamily;

class PreparedCommandTest {
  private static final Path LIBRARY = Path.of("/cache/libreprise.so");
  private static final Map<String, String> TOLD =
      Map.of("REPRISE_MODE", "record", "REPRISE_RUN", "/runs/a");

  @TempDir Path directory;
  private FakeMpi fake = new FakeMpi(Path.of("unset"));

  @BeforeEach
  void install() throws Exception {
    fake = new FakeMpi(directory);
    fake.script("bin/mpirun", "");
  }

  private PreparedCommand prepare(
      String command, MpiFamily family, Map<String, String> environment, String... options) {
    Surroundings plain = fake.surroundings(directory.resolve("bin"));
    Map<String, String> merged = new HashMap<>(plain.environment());
    merged.putAll(environment);
    Surroundings surroundings = plain.withEnvironment(merged);
    return PreparedCommand.of(
        LaunchCommand.parse(List.of(command.split(" ")), surroundings),
        surroundings,
        Optional.of(family),
        List.of(LIBRARY),
        TOLD,
        List.of(options));
  }

  private static String line(PreparedCommand command) {
    return String.join(" ", command.words());
  }

  @Test
  void openMpiIsToldWhatToExportInEveryContext() {
    String export = "-x LD_PRELOAD=/cache/libreprise.so -x REPRISE_MODE -x REPRISE_RUN";
    assertThat(line(prepare("mpirun -n 1 ./a : -n 1 ./b", MpiFamily.OPEN_MPI, Map.of())))
        .isEqualTo("mpirun " + export + " -n 1 ./a : " + export + " -n 1 ./b");
    assertThat(line(prepare("env A=1 mpirun ./a", MpiFamily.OPEN_MPI, Map.of())))
        .isEqualTo("env A=1 mpirun " + export + " ./a");
  }

  @Test
  void openMpisLauncherItselfIsLeftAlone() {
    Map<String, String> users = Map.of("LD_PRELOAD", "libasan.so.8");
    assertThat(prepare("mpirun ./a", MpiFamily.OPEN_MPI, Map.of()).environment())
        .doesNotContainKey("LD_PRELOAD");
    PreparedCommand sanitized = prepare("mpirun ./a", MpiFamily.OPEN_MPI, users);
    assertThat(sanitized.environment()).containsEntry("LD_PRELOAD", "libasan.so.8");
    assertThat(line(sanitized)).contains("-x LD_PRELOAD=libasan.so.8:/cache/libreprise.so");
  }

  @Test
  void theArgumentsOfAScriptStayAsTheyAre() {
    assertThat(
            line(prepare("./job --launcher mpirun -n 1 ./a", MpiFamily.OPEN_MPI, Map.of(), "-o")))
        .isEqualTo("./job --launcher mpirun -n 1 ./a");
  }

  @Test
  void openMpisListOfVariablesExcludesOurOptions() {
    String command = "mpirun --mca mca_base_env_list A=1 ./a";
    assertThat(line(prepare(command, MpiFamily.OPEN_MPI, Map.of()))).isEqualTo(command);
    assertThat(
            line(
                prepare(
                    "mpirun ./a", MpiFamily.OPEN_MPI, Map.of("OMPI_MCA_mca_base_env_list", "A=1"))))
        .isEqualTo("mpirun ./a");
  }

  @Test
  void otherLaunchersPassTheEnvironmentOn() {
    assertThat(line(prepare("mpirun -n 2 ./a : ./b", MpiFamily.MPICH, Map.of())))
        .isEqualTo("mpirun -n 2 ./a : ./b");
  }

  @Test
  void launcherOptionsComeFirst() {
    assertThat(line(prepare("mpirun -n 2 ./a", MpiFamily.MPICH, Map.of(), "-o", "x")))
        .isEqualTo("mpirun -o x -n 2 ./a");
  }

  @Test
  void theUsersOwnLibrariesComeFirst() {
    assertThat(prepare("mpirun ./a", MpiFamily.MPICH, Map.of()).environment())
        .containsEntry("LD_PRELOAD", "/cache/libreprise.so");
    assertThat(
            prepare("mpirun ./a", MpiFamily.MPICH, Map.of("LD_PRELOAD", "libasan.so.8"))
                .environment())
        .containsEntry("LD_PRELOAD", "libasan.so.8:/cache/libreprise.so");
    assertThat(line(prepare("mpirun -x LD_PRELOAD=libasan.so.8 ./a", MpiFamily.MPICH, Map.of())))
        .isEqualTo("mpirun -x LD_PRELOAD=libasan.so.8:/cache/libreprise.so ./a");
  }

  @Test
  void whatAnOuterRepriseSaidDoesNotReachTheCommand() {
    assertThat(
            prepare(
                    "mpirun ./a",
                    MpiFamily.MPICH,
                    Map.of("REPRISE_PLAN", "/old", "REPRISE_MODE", "replay", "REPRISE_HOME", "/h"))
                .environment())
        .doesNotContainKey("REPRISE_PLAN")
        .containsEntry("REPRISE_MODE", "record")
        .containsEntry("REPRISE_HOME", "/h");
  }
}
