package org.reprise.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.reprise.launch.process.StandardInput;
import org.reprise.launch.process.Surroundings;
import org.reprise.launch.process.ToolRun;
import org.reprise.launch.run.EngineContext;
import org.reprise.launch.run.Permission;
import org.reprise.launch.run.RankConsole;
import org.reprise.trace.MpiFamily;

/** An MPI on this machine: how to compile for it and how to start its programs. */
public record MpiUnderTest(MpiFamily family, String mpicc, List<String> launcher) {
  /** Those that are installed, under the names Debian gives them. */
  static Stream<MpiUnderTest> installed() {
    Surroundings here = surroundings(Map.of());
    return Stream.of(
            new MpiUnderTest(
                MpiFamily.OPEN_MPI, "mpicc.openmpi", List.of("mpirun.openmpi", "--oversubscribe")),
            new MpiUnderTest(MpiFamily.MPICH, "mpicc.mpich", List.of("mpirun.mpich")))
        .filter(mpi -> here.findExecutable(mpi.mpicc).isPresent())
        .filter(mpi -> here.findExecutable(mpi.launcher.getFirst()).isPresent());
  }

  /** The engine that these MPIs are used by. */
  static Engine engine(Surroundings surroundings, Consumer<String> told) {
    OutputStream nowhere = OutputStream.nullOutputStream();
    RankConsole console = new RankConsole(nowhere, nowhere, StandardCharsets.UTF_8, false, false);
    return new MpiEngine(new EngineContext(surroundings, console, told, Permission.OWN));
  }

  /** The environment of this process, and these variables. Tests may run as root in a container. */
  public static Surroundings surroundings(Map<String, String> more) {
    Map<String, String> environment = new HashMap<>(System.getenv());
    environment.put("OMPI_ALLOW_RUN_AS_ROOT", "1");
    environment.put("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    environment.put("XDG_STATE_HOME", System.getProperty("reprise.root") + "/launch/target/state");
    environment.putAll(more);
    return new Surroundings(environment, Path.of(""), new StandardInput.Inherited());
  }

  /** Compiles launch/src/test/c/race.c, which explains itself. */
  Path compileRace(Path directory) {
    return compile("race", directory);
  }

  /** Compiles a program of launch/src/test/c. */
  Path compile(String name, Path directory) {
    Path program = directory.resolve(name + "-" + family.name());
    Path source = Path.of(System.getProperty("reprise.root"), "launch/src/test/c", name + ".c");
    ToolRun compiled =
        ToolRun.of(
            List.of(mpicc, "-g", "-O1", "-o", program.toString(), source.toString()),
            directory,
            surroundings(Map.of()),
            Duration.ofMinutes(1));
    assertThat(compiled.output()).as("%s", source).isEmpty();
    return program;
  }

  /** Behind a shell that keeps the output out of the build's: programs crash here on purpose. */
  List<String> command(int ranks, Path program, String... arguments) {
    List<String> words = new ArrayList<>();
    words.addAll(List.of("sh", "-c", "exec \"$@\" >>" + output(program) + " 2>&1", "sh"));
    words.addAll(launcher);
    words.addAll(List.of("-n", Integer.toString(ranks), program.toString()));
    words.addAll(List.of(arguments));
    return words;
  }

  /** Where the output of {@link #command} goes. */
  static Path output(Path program) {
    return program.resolveSibling("output");
  }

  Optional<Path> compiler() {
    return surroundings(Map.of()).findExecutable(mpicc);
  }

  @Override
  public String toString() {
    return family.toString();
  }
}
