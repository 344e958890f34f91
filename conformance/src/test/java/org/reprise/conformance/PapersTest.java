package org.reprise.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The programs that the papers measured; each says whether its own answer is correct. */
class PapersTest {
  private static final int RANKS = 4;

  @RegisterExtension private final Workbench bench = new Workbench();

  /**
   * A program, smaller than the papers had it.
   *
   * @param receives a pattern for what the recording says of them: their order may differ, their
   *     number not
   */
  private record Program(List<String> words, String receives) {
    /** The exit status of {@code races} if there are any. */
    private static final int FOUND = 66;

    static Program of(String command, String receives) {
      return new Program(List.of(command.split(" ")), receives);
    }

    /** Named receives never race; in each of these programs some of the others do. */
    int racesStatus() {
      return receives.contains(" 0 of them with a wildcard") ? 0 : FOUND;
    }

    String name() {
      return words.getFirst();
    }

    Object[] arguments() {
      return words.subList(1, words.size()).toArray();
    }

    @Override
    public String toString() {
      return name();
    }
  }

  private static final List<Program> PROGRAMS =
      List.of(
          Program.of("det 40", "225 receives, 6 of them with a wildcard"),
          Program.of("line 200", "3 receives, 0 of them with a wildcard"),
          Program.of("mesh 60 5", "606 receives, 78 of them with a wildcard"),
          Program.of("mult 40", "25 receives, 0 of them with a wildcard"),
          Program.of("sys 60", "228 receives, 48 of them with a wildcard"),
          Program.of("tycho 40000", "1670 receives, 419 of them with a wildcard"),
          Program.of("bicgstab 2000 41", "(\\d+) receives, \\1 of them with a wildcard"));

  private static Stream<Arguments> programs() {
    return PROGRAMS.stream()
        .flatMap(
            program ->
                DrawnMpi.Draw.of(program.name()).stream().map(mpi -> Arguments.of(mpi, program)));
  }

  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("programs")
  void itsAnswerIsCorrectItsReplaySaysTheSameAndOnlyWildcardsRace(Mpi mpi, Program program) {
    Ran recording =
        bench.record(
            mpi.job(RANKS, bench.example(mpi, program.name()), program.arguments()), "--events");
    assertThat(recording.status()).as("%s", recording).isZero();
    assertThat(recording.out()).as("%s", recording).endsWith(", correct\n");
    assertThat(recording.said()).containsPattern(": 4 ranks, " + program.receives() + ",");

    Ran replay = bench.replay("--jitter", "1");
    assertThat(replay.out()).as("%s", replay).isEqualTo(recording.out());
    assertThat(replay.saysSameOrder()).as("%s", replay).isTrue();
    assertThat(replay.status()).isZero();

    Ran races = bench.reprise("races");
    assertThat(races.status()).as("%s", races).isEqualTo(program.racesStatus());
  }
}
