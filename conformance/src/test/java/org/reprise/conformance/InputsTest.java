package org.reprise.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.reprise.trace.Rank;
import org.reprise.trace.inputs.InputsReader;
import org.reprise.trace.run.RunDirectory;

/** Everything else that a program reads and that differs between runs, from four languages. */
class InputsTest {
  private static final int RANKS = 3;
  private static final String PYTHON = "/usr/bin/python3"; // to which Debian's mpi4py belongs

  @RegisterExtension private final Workbench bench = new Workbench();

  private static Stream<Arguments> languages() {
    return Stream.of("race_cxx", "race_f90", "race_f08", "race_f77", "jacobi")
        .flatMap(
            program -> DrawnMpi.Draw.of(program).stream().map(mpi -> Arguments.of(mpi, program)));
  }

  private void replaysToTheSameOutput(Ran recording) {
    assertThat(recording.status()).as("%s", recording).isZero();
    assertThat(recording.out()).as("%s", recording).isNotEmpty();
    for (int seed = 1; seed <= 2; seed++) {
      Ran replay = bench.replay("--jitter", Integer.toString(seed));
      assertThat(replay.out()).as("%s", replay.said()).isEqualTo(recording.out());
      assertThat(replay.saysSameOrder()).as("%s", replay).isTrue();
      assertThat(replay.status()).isZero();
    }
  }

  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("languages")
  void aProgramOfAnyLanguageReplaysToTheSameOutput(Mpi mpi, String program) {
    replaysToTheSameOutput(bench.record(mpi.job(RANKS, bench.example(mpi, program))));
  }

  @Test
  void aPythonProgramReplaysToTheSameOutput() {
    Ran imports = bench.run(List.of(PYTHON, "-c", "import mpi4py"));
    Workshop.requireThat(imports.status() == 0, PYTHON + " has no mpi4py");
    bench.example(Mpi.OPEN_MPI, "conformance"); // the MPI must be there
    String script = Workshop.root().resolve("examples/python/race.py").toString();
    replaysToTheSameOutput(bench.record(Mpi.OPEN_MPI.job(RANKS, PYTHON, script)));
  }

  @ParameterizedTest(name = "{0}")
  @DrawnMpi
  void seedsRandomNumbersProcessIdsAndClocksAreGivenBack(Mpi mpi) {
    replaysToTheSameOutput(bench.record(mpi.job(RANKS, bench.example(mpi, "seeded"))));
  }

  @ParameterizedTest(name = "{0}")
  @DrawnMpi
  void clocksThatAreReadInALoopAreGivenBackBitForBitAndTakeLittleRoom(Mpi mpi) throws Exception {
    Ran recording = bench.record(mpi.job(1, bench.compiled(mpi, "clock_polls")));
    assertThat(recording.out()).as("%s", recording).startsWith("clocks = ");
    RunDirectory run = bench.latest().directory();
    long readings = 0;
    try (InputsReader inputs = run.openInputs(new Rank(0)).orElseThrow()) {
      for (; inputs.hasNext(); readings++) {
        assertThat(inputs.next()).isNotNull();
      }
    }
    // 9 bytes each would be the doubles as they are. How well they pack depends on the machine.
    assertThat(readings).isGreaterThanOrEqualTo(62_000);
    assertThat(Files.size(run.inputsFile(new Rank(0)))).isLessThan(3 * readings);
    replaysToTheSameOutput(recording);
  }

  @ParameterizedTest(name = "{0}")
  @DrawnMpi
  void withoutRecordedInputsTheyAreNotGivenBack(Mpi mpi) {
    Ran recording = bench.record(mpi.job(RANKS, bench.example(mpi, "seeded")), "--no-inputs");
    // Whether the order is the same is chance: the reports it sends are as long as their numbers.
    assertThat(bench.replay().out()).isNotEmpty().isNotEqualTo(recording.out());
  }

  @ParameterizedTest(name = "{0}")
  @DrawnMpi
  void standardInputFromAPipeIsKeptAndGivenAgain(Mpi mpi) {
    String numbers =
        IntStream.rangeClosed(1, 200).mapToObj(Integer::toString).collect(Collectors.joining("\n"));
    List<String> job = mpi.job(RANKS, bench.example(mpi, "stdin_sum"));
    Ran recording = bench.start(Workbench.words("record", List.of(), job), numbers + "\n").end();
    assertThat(recording.out()).as("%s", recording).startsWith("numbers = 200, ");
    assertThat(bench.latest().directory().stdinFile()).hasContent(numbers);
    replaysToTheSameOutput(recording);
  }

  @ParameterizedTest(name = "{0}")
  @DrawnMpi
  void filesThatHaveChangedSinceTheRecordingAreNamed(Mpi mpi) throws Exception {
    Path input = bench.directory().resolve("input.txt");
    Path written = bench.directory().resolve("mode-0");
    Files.writeString(input, "1\n2\n3\n");
    Ran recording = bench.record(mpi.job(4, bench.compiled(mpi, "restored"), "3"));
    assertThat(recording.status()).as("%s", recording).isZero();
    String note = "a file that the program read has changed since it was recorded: " + input;
    Files.delete(written); // a file of the run's own
    assertThat(bench.replay().err()).doesNotContain("a file that the program read");
    Files.writeString(input, "1\n2\n4\n");
    assertThat(bench.replay().err()).contains(note);
    Files.writeString(input, "1\n2\n3\n"); // what it was, at another time
    assertThat(bench.replay().err()).doesNotContain("a file that the program read");
    Files.delete(input);
    assertThat(bench.replay().err()).contains("a file that the program read is gone: " + input);
  }
}
