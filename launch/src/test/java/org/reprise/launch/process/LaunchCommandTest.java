package org.reprise.launch.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.reprise.launch.FakeMpi;

class LaunchCommandTest {
  @TempDir Path directory;
  private FakeMpi fake = new FakeMpi(Path.of("unset"));
  private Path program = Path.of("unset");

  @BeforeEach
  void install() throws Exception {
    fake = new FakeMpi(directory);
    for (String launcher : List.of("mpirun", "mpiexec", "mpirun.mpich", "srun")) {
      fake.script("bin/" + launcher, "exec \"$@\"\n");
    }
    fake.script("bin/ssh", "");
    fake.script("bin/time", "");
    program = fake.program("solver", "libmpi.so.40");
    fake.script("plain", "");
    Files.writeString(directory.resolve("prog.py"), "print()\n");
    Files.writeString(directory.resolve("job.sh"), "mpirun ./solver\n");
    Files.writeString(directory.resolve("data.txt"), "1\n");
  }

  private LaunchCommand parse(String command) {
    return LaunchCommand.parse(
        List.of(command.split(" ")), fake.surroundings(directory.resolve("bin")));
  }

  private void assertParsed(String command, int launcherIndex, String program) {
    LaunchCommand parsed = parse(command);
    assertThat(parsed.launcherIndex())
        .as(command)
        .isEqualTo(launcherIndex < 0 ? OptionalInt.empty() : OptionalInt.of(launcherIndex));
    assertThat(parsed.program().map(file -> file.getFileName().toString()))
        .as(command)
        .contains(program);
  }

  @Test
  void theProgramStandsBehindTheLaunchersOptions() {
    assertParsed("mpirun -n 4 --mca btl self,tcp ./solver data.txt", 0, "solver");
    assertParsed("mpirun -n 4 ./plain data.txt", 0, "plain");
    assertParsed("mpiexec -n 2 ./solver : -n 2 ./plain", 0, "solver");
    assertParsed("mpirun -bootstrap ssh -n 2 ./plain", 0, "plain");
    assertParsed("srun -N 2 -n 4 ./solver", 0, "solver");
    assertParsed("env X=1 mpirun -n 2 ./solver", 2, "solver");
    assertParsed("mpirun.mpich -n 2 ./plain ./solver", 0, "solver");
  }

  @Test
  void aScriptIsTheProgramOfItsInterpreter() {
    assertParsed("mpirun -n 2 python3 -u prog.py data.txt", 0, "prog.py");
    assertParsed("bash job.sh", -1, "job.sh");
  }

  @Test
  void aProgramNeedsNoLauncher() {
    assertParsed("./solver", -1, "solver");
    assertParsed(program.toString(), -1, "solver");
  }

  @Test
  void aRunIsCalledAfterItsProgram() {
    assertThat(parse("mpirun -n 2 python3 prog.py").programName()).isEqualTo("prog");
    assertThat(parse("mpirun -n 2 ./solver").programName()).isEqualTo("solver");
    assertThat(parse("mpirun -n 2 ./missing").programName()).isEqualTo("mpirun");
    assertThat(parse("./missing").programName()).isEqualTo("missing");
    assertThat(parse("mpirun -n 2 ./reprise java -cp classes a.b.Main x").programName())
        .isEqualTo("Main");
    assertThat(parse("mpirun -n 2 reprise java deep/Ring.java").programName()).isEqualTo("Ring");
  }

  @Test
  void aWordThatIsNoPathDoesNoHarm() {
    LaunchCommand parsed =
        LaunchCommand.parse(
            List.of("mpirun", "a\0b", "", "./solver"), fake.surroundings(directory.resolve("bin")));
    assertThat(parsed.program()).contains(directory.resolve("./solver"));
  }
}
