package org.reprise.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;

/** Programs of the embedded engine run on libmpi, unchanged, and are recorded there like any. */
class JavaOnMpiTest {
  /** No more than processors: MPICH's ranks do not give way while they wait. */
  private static final int RANKS = 2;

  private static final int RACING_RANKS = 3;

  private static final Path ENGINE_PROGRAMS = Path.of("ranks/src/test/programs");
  private static final Path OPEN_MPI_PROGRAMS = Path.of("ranks/src/test/openmpi");
  private static final Path OWN_PROGRAMS = Path.of("conformance/src/test/programs");

  @RegisterExtension private final Workbench bench = new Workbench();

  @ParameterizedTest(name = "{0}")
  @DrawnMpi
  void programsOfTheEmbeddedEngineRunUnchanged(Mpi mpi) {
    for (String program :
        List.of("Modes", "Completion", "LongObjects", "MessageForms", "CollectiveForms")) {
      compile(program.endsWith("Forms") ? OPEN_MPI_PROGRAMS : ENGINE_PROGRAMS, program);
      Ran ran = bench.run(job(mpi, RANKS, program));
      assertThat(ran.out()).as("%s", ran).isEqualTo(program + ": ok\n");
      assertThat(ran.status()).as("%s", ran).isZero();
    }
  }

  /** Programs that a seed draws; bench/dialects does the same with all of them. */
  @ParameterizedTest(name = "{0}")
  @DrawnMpi
  void programsOfBothDialectsDoTheSameOnAnMpiAndAreReplayed(Mpi mpi) throws IOException {
    long seed = Long.getLong("reprise.seed", System.nanoTime() % 100_000);
    System.out.println("JavaOnMpiTest: programs drawn with -Dreprise.seed=" + seed);
    for (String dialect : List.of("openmpi", "mpj")) {
      Path directory = Path.of("examples/java", dialect);
      List<String> programs;
      try (Stream<Path> files = Files.list(Workshop.root().resolve(directory))) {
        programs =
            files.map(file -> file.getFileName().toString().replace(".java", "")).sorted().toList();
      }
      String program = programs.get(new Random(seed).nextInt(programs.size()));
      compile(directory, program);
      Ran embedded =
          bench.reprise(
              "run",
              "-n",
              Integer.toString(RANKS),
              "--seed",
              "1",
              "-cp",
              bench.directory().toString(),
              program);
      Ran recording = bench.record(job(mpi, RANKS, program));
      assertThat(recording.out()).as("seed %d: %s", seed, recording).isEqualTo(embedded.out());
      assertThat(recording.out()).as("seed %d: %s", seed, recording).isNotEmpty();
      Ran replay = bench.replay();
      assertThat(replay.out()).as("seed %d: %s", seed, replay).isEqualTo(embedded.out());
      assertThat(replay.saysSameOrder()).as("seed %d: %s", seed, replay).isTrue();
    }
  }

  @ParameterizedTest(name = "{0}")
  @DrawnMpi
  void anMpiLibraryDoesNotTakeTheJvmsSignals(Mpi mpi) {
    compile(ENGINE_PROGRAMS, "NullPointers");
    Ran ran = bench.run(job(mpi, RANKS, "NullPointers"));
    assertThat(ran.out()).as("%s", ran).isEqualTo("NullPointers: ok\n");
  }

  @ParameterizedTest(name = "{0}")
  @DrawnMpi
  void orderAndInputsOfAJavaProgramAreReplayed(Mpi mpi) {
    compile(OWN_PROGRAMS, "JavaRace");
    Ran recording = bench.record(job(mpi, RACING_RANKS, "JavaRace"));
    assertThat(recording.out()).as("%s", recording).matches("[12]{40} -?\\d+ -?\\d+\n");
    Ran replay = bench.replay("--jitter", "1");
    assertThat(replay.out()).as("%s", replay).isEqualTo(recording.out());
    assertThat(replay.saysSameOrder()).as("%s", replay).isTrue();
  }

  @ParameterizedTest(name = "{0}")
  @DrawnMpi
  void theEventsOfAJavaProgramNameItsLines(Mpi mpi) {
    compile(OWN_PROGRAMS, "JavaRace");
    Ran recording = bench.record(job(mpi, RANKS, "JavaRace"), "--events");
    assertThat(recording.status()).as("%s", recording).isZero();
    Ran events = bench.reprise("events");
    assertThat(events.out().lines())
        .as("%s", events)
        .allMatch(line -> line.matches(".* at JavaRace\\.main JavaRace\\.java:\\d+"))
        .anyMatch(line -> line.contains("Recv ") && line.endsWith("JavaRace.java:17"))
        .anyMatch(line -> line.contains("Send ") && line.endsWith("JavaRace.java:22"));
  }

  @ParameterizedTest(name = "{0}")
  @DrawnMpi
  void anExceptionEndsTheJobAndIsShown(Mpi mpi) {
    compile(OWN_PROGRAMS, "JavaRace");
    Ran ran = bench.run(job(mpi, RANKS, "JavaRace", "throw"));
    assertThat(ran.status()).as("%s", ran).isNotZero();
    assertThat(ran.err())
        .contains("reprise: rank 1 ended the run by an exception")
        .contains("IllegalStateException: thrown by rank 1")
        .contains("at JavaRace.main(JavaRace.java:");
  }

  private List<String> job(Mpi mpi, int ranks, String program, String... arguments) {
    List<String> words =
        new ArrayList<>(List.of("java", "-cp", bench.directory().toString(), program));
    words.addAll(List.of(arguments));
    List<String> java = bench.java(words);
    return mpi.job(ranks, java.getFirst(), java.subList(1, java.size()).toArray());
  }

  private void compile(Path directory, String program) {
    ByteArrayOutputStream errors = new ByteArrayOutputStream();
    int status =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                errors,
                "-g",
                "-cp",
                System.getProperty("java.class.path"),
                "-d",
                bench.directory().toString(),
                Workshop.root().resolve(directory).resolve(program + ".java").toString());
    assertThat(status).as(errors.toString(StandardCharsets.UTF_8)).isZero();
  }
}
