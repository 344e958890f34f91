package org.reprise.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Ranks that are restored from checkpoints are what they were, and nothing is left of them. */
class RestoreTest {
  private static final int RANKS = 4;
  private static final int STEPS = 100;

  /** Of each rank there are more, in both programs. */
  private static final int EVENTS = 200;

  private static final int PLACES = 6;
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  @RegisterExtension private final Workbench bench = new Workbench();

  private final long seed = Long.getLong("reprise.seed", System.nanoTime() % 100_000);
  private final Random random = new Random(seed);

  private void record(Mpi mpi) throws Exception {
    System.out.println("RestoreTest: program and places drawn with -Dreprise.seed=" + seed);
    Files.writeString(
        bench.directory().resolve("input.txt"),
        IntStream.range(1, 200).mapToObj(i -> i + "\n").collect(Collectors.joining()));
    boolean isFortran = random.nextInt(3) == 0;
    Path program =
        isFortran ? bench.compiledFortran(mpi, "restored") : bench.compiled(mpi, "restored");
    Ran recording =
        bench.record(
            mpi.job(RANKS, program, Integer.toString(STEPS), Integer.toString((int) seed)));
    assertThat(recording.status()).as("%s", recording).isZero();
    Ran learning = bench.reprise("events", "--count", "0");
    assertThat(learning.status()).as("%s", learning).isZero();
  }

  private List<String> histories(int rank) throws Exception {
    return Files.readAllLines(bench.directory().resolve("history-" + rank));
  }

  /** What is in the program's directory: names, modes and contents. */
  private SortedMap<String, String> files() throws Exception {
    SortedMap<String, String> files = new TreeMap<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(bench.directory())) {
      for (Path file : all) {
        boolean regular = Files.isRegularFile(file);
        String name = file.getFileName().toString();
        if (name.matches("(out|err)-.*|runs|ompi[.].*")) {
          continue; // of the test, and of the library
        }
        files.put(
            name,
            PosixFilePermissions.toString(Files.getPosixFilePermissions(file))
                + (regular ? Arrays.hashCode(Files.readAllBytes(file)) : ""));
      }
    }
    return files;
  }

  private List<String> places(int count) {
    List<String> commands = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      commands.add("goto %d:%d".formatted(random.nextInt(RANKS), 20 + random.nextInt(EVENTS)));
    }
    return commands;
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mpi.class)
  void restoredRanksHaveTheStateOfTheRun(Mpi mpi) throws Exception {
    record(mpi);
    List<List<String>> histories = new ArrayList<>();
    for (int rank = 0; rank < RANKS; rank++) {
      histories.add(histories(rank));
    }
    SortedMap<String, String> before = files();
    List<String> words =
        new ArrayList<>(List.of("debug", "--batch", "--period", "50ms", "--format", "json"));
    boolean isThinned = random.nextBoolean();
    if (isThinned) {
      words.addAll(List.of("--checkpoint-memory", "1m"));
    }
    for (String command : places(PLACES)) {
      for (String each : List.of(command, "print step", "print hash_value")) {
        words.addAll(List.of("-e", each));
      }
    }
    Ran debugged = bench.reprise(words.toArray(String[]::new));
    assertThat(debugged.status()).as("seed %s: %s", seed, debugged).isZero();
    assertThat(debugged.err())
        .as("seed %s", seed)
        .contains("checkpoints taken in")
        .contains(isThinned ? "were given up" : "any place is reached within")
        .doesNotContain("from the start");
    List<Map<?, ?>> answers = debugged.out().lines().<Map<?, ?>>map(DebugTest::json).toList();
    for (int place = 0; place < PLACES; place++) {
      Map<?, ?> moved = answers.get(3 * place);
      assertThat(moved.get("arrival")).as("seed %s: %s", seed, moved).isEqualTo("reached");
      SortedMap<Integer, String> then = new TreeMap<>();
      DebugTest.byRank(answers.get(3 * place + 1))
          .forEach((rank, step) -> then.put(rank, histories.get(rank).get(Integer.parseInt(step))));
      assertThat(DebugTest.byRank(answers.get(3 * place + 2)))
          .as("seed %s: %s", seed, moved)
          .hasSize(RANKS)
          .isEqualTo(then);
    }
    assertThat(files()).as("the user's files").isEqualTo(before);
    assertThat(bench.processes().awaitEnd(PATIENCE)).as("seed %s", seed).isEmpty();
  }
}
