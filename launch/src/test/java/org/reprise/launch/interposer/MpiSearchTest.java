package org.reprise.launch.interposer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.reprise.launch.FakeMpi;
import org.reprise.launch.process.LaunchCommand;
import org.reprise.launch.process.StandardInput;
import org.reprise.launch.process.Surroundings;
import org.reprise.trace.MpiFamily;
import org.reprise.trace.UserError;

/** Which MPI a command uses, on machines that have none, one or several. All MPIs are doubles. */
class MpiSearchTest {
  @TempDir Path directory;
  private FakeMpi fake = new FakeMpi(Path.of("unset"));
  private Surroundings surroundings =
      new Surroundings(java.util.Map.of(), Path.of(""), new StandardInput.Inherited());

  @BeforeEach
  void open() {
    fake = new FakeMpi(directory);
    surroundings = fake.surroundings(directory.resolve("bin"));
  }

  private MpiInstallation find(String command) {
    return find(command, Optional.empty());
  }

  private MpiInstallation find(String command, Optional<Path> mpicc) {
    List<String> words = new ArrayList<>(List.of(command.split(" ")));
    return new MpiSearch(surroundings).find(LaunchCommand.parse(words, surroundings), mpicc);
  }

  private void installBoth() throws Exception {
    fake.mpicc("bin/mpicc.openmpi", FakeMpi.OPEN_MPI_MACROS);
    fake.mpicc("bin/mpicc.mpich", FakeMpi.MPICH_MACROS);
    fake.mpicc("bin/mpicc", FakeMpi.OPEN_MPI_MACROS);
    fake.script("bin/orterun", "echo 'mpirun (Open MPI) 4.1.4'\n");
    Files.createSymbolicLink(directory.resolve("bin/mpirun"), Path.of("orterun"));
    fake.script("bin/mpirun.mpich", "echo HYDRA build details:\n");
  }

  @Test
  void theProgramsOwnLibraryDecides() throws Exception {
    installBoth();
    fake.program("with-mpich", "libmpich.so.12");
    fake.program("with-open-mpi", "libmpi.so.40");
    MpiInstallation mpich = find("mpirun -n 2 ./with-mpich");
    assertThat(mpich.family()).isEqualTo(MpiFamily.MPICH);
    assertThat(mpich.version()).isEqualTo("MPICH 4.0.2");
    assertThat(mpich.mpicc()).isEqualTo(directory.resolve("bin/mpicc.mpich"));
    MpiInstallation openMpi = find("mpirun.mpich -n 2 ./with-open-mpi");
    assertThat(openMpi.version()).isEqualTo("Open MPI 4.1.4");
    assertThat(openMpi.compiler()).containsExactly("gcc");
    assertThat(openMpi.flags()).hasSize(1).first().asString().startsWith("-I");
  }

  @Test
  void aLauncherOfAnotherMpiIsTold() throws Exception {
    installBoth();
    fake.program("with-mpich", "libmpich.so.12");
    Files.writeString(directory.resolve("prog.py"), "");
    assertThat(mixture("mpirun -n 2 ./with-mpich"))
        .contains(
            "the launcher is Open MPI's and the program is linked with MPICH, so every process was a"
                + " job of one rank; start it with the mpirun of MPICH");
    assertThat(mixture("mpirun.mpich -n 2 ./with-mpich")).isEmpty();
    assertThat(mixture("mpirun -n 2 python3 prog.py")).as("nobody knows").isEmpty();
  }

  private Optional<String> mixture(String command) {
    List<String> words = List.of(command.split(" "));
    return new MpiSearch(surroundings).mixture(LaunchCommand.parse(words, surroundings));
  }

  @Test
  void whereTheProgramDoesNotTellTheLauncherDoes() throws Exception {
    installBoth();
    Files.writeString(directory.resolve("prog.py"), "");
    assertThat(find("mpirun -n 2 python3 prog.py").family()).isEqualTo(MpiFamily.OPEN_MPI);
    assertThat(find("mpirun.mpich -n 2 python3 prog.py").family()).isEqualTo(MpiFamily.MPICH);
    assertThat(find("python3 prog.py").family()).as("mpicc on PATH").isEqualTo(MpiFamily.OPEN_MPI);
  }

  @Test
  void theCompilerBesideTheLauncherIsItsOwn() throws Exception {
    installBoth();
    fake.mpicc("opt/mpich/mpicc", FakeMpi.MPICH_MACROS);
    Path launcher = fake.script("opt/mpich/mpiexec", "echo HYDRA build details:\n");
    assertThat(find(launcher + " -n 2 ./missing").mpicc())
        .isEqualTo(directory.resolve("opt/mpich/mpicc"));
  }

  @Test
  void aNamedCompilerIsTaken() throws Exception {
    installBoth();
    fake.program("with-mpich", "libmpich.so.12");
    Path named = directory.resolve("bin/mpicc.openmpi");
    assertThat(find("./with-mpich", Optional.of(named)).family()).isEqualTo(MpiFamily.OPEN_MPI);
    assertThatThrownBy(() -> find("./with-mpich", Optional.of(Path.of("no-such-mpicc"))))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("--mpicc names no executable");
    Path broken = fake.script("bin/broken", "exit 1\n");
    assertThatThrownBy(() -> find("./with-mpich", Optional.of(broken)))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("is not an MPI compiler wrapper that works");
  }

  @Test
  void withoutTheRightCompilerTheFixIsACommand() throws Exception {
    fake.mpicc("bin/mpicc", FakeMpi.OPEN_MPI_MACROS);
    fake.program("with-mpich", "libmpich.so.12");
    assertThatThrownBy(() -> find("./with-mpich"))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("there is no compiler for MPICH, which this program uses")
        .hasMessageContaining("bin/mpicc")
        .hasMessageContaining("sudo apt install libmpich-dev");
  }

  @Test
  void withoutAnyCompilerTheFixIsACommand() throws Exception {
    fake.program("plain", "libm.so.6");
    assertThatThrownBy(() -> find("./plain"))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("there is no MPI compiler")
        .hasMessageContaining("no mpicc on PATH")
        .hasMessageContaining("sudo apt install libopenmpi-dev");
  }

  @Test
  void aStaticProgramIsRefused() throws Exception {
    installBoth();
    Files.writeString(directory.resolve("main.c"), "int main(void) { return 0; }\n");
    FakeMpi.compile(directory, "-static", "-o", "fixed", "main.c");
    assertThatThrownBy(() -> find("mpirun -n 2 ./fixed"))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("fixed is statically linked");
  }

  @Test
  void versionTextsTellTheFamily() {
    assertThat(MpiSearch.familyByVersionText("mpirun (Open MPI) 4.1.4"))
        .contains(MpiFamily.OPEN_MPI);
    assertThat(MpiSearch.familyByVersionText("mpiexec (OpenRTE) 2.1.1"))
        .contains(MpiFamily.OPEN_MPI);
    assertThat(MpiSearch.familyByVersionText("HYDRA build details:")).contains(MpiFamily.MPICH);
    assertThat(MpiSearch.familyByVersionText("Intel(R) MPI Library for Linux* OS"))
        .contains(MpiFamily.MPICH);
    assertThat(MpiSearch.familyByVersionText("slurm 22.05")).isEmpty();
  }

  @Test
  void separatedFlagsAreKept() {
    assertThat(
            MpiInstallation.includesAndDefines(
                List.of("gcc", "-I", "/a", "-I/b", "-DX=1", "-isystem", "/c", "-L/d", "-lmpi")))
        .containsExactly("-I", "/a", "-I/b", "-DX=1", "-isystem", "/c");
  }
}
