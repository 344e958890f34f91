package org.reprise.ranks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.reprise.ranks.engine.JobResult;
import org.reprise.ranks.host.HostedProgram;
import org.reprise.ranks.host.HostedRanks;
import org.reprise.ranks.host.ProgramCommand;
import org.reprise.ranks.host.RankStreams;
import org.reprise.trace.run.RecordedRun;

/**
 * The programs in examples/java/openmpi and examples/java/mpj print what results.txt there says for
 * four ranks: in parallel, in orders that seeds draw, and when a recording of them is replayed.
 */
class DialectProgramsTest {
  private static final Path EXAMPLES = Path.of(System.getProperty("reprise.root"), "examples/java");
  private static final Path FORMS =
      Path.of(System.getProperty("reprise.root"), "ranks/src/test/openmpi");
  private static final int RANKS = 4;

  @TempDir private Path scratch;

  private static Map<String, String> results() throws IOException {
    Map<String, String> results = new TreeMap<>();
    for (String line : Files.readAllLines(EXAMPLES.resolve("results.txt"))) {
      int colon = line.indexOf(": ");
      results.put(line.substring(0, colon), line.substring(colon + 2).replace(" / ", "\n") + "\n");
    }
    return results;
  }

  static List<String> programs() throws IOException {
    return List.copyOf(results().keySet());
  }

  @Test
  void everyProgramHasAResult() throws IOException {
    List<String> files = new ArrayList<>();
    for (String dialect : List.of("mpj", "openmpi")) {
      try (Stream<Path> sources = Files.list(EXAMPLES.resolve(dialect))) {
        sources
            .map(file -> dialect + "/" + file.getFileName().toString().replace(".java", ""))
            .sorted()
            .forEach(files::add);
      }
    }
    assertThat(files).hasSizeGreaterThanOrEqualTo(60).isEqualTo(programs());
  }

  @ParameterizedTest
  @MethodSource("programs")
  void aProgramPrintsItsResultAndIsReplayed(String name) throws Exception {
    String result = results().get(name);
    try (HostedProgram program =
        HostedProgram.open(ProgramCommand.parse(List.of(name + ".java")), EXAMPLES)) {
      Output recorded = new Output(program);
      RecordedRun run =
          Recordings.record(scratch, "recorded", RANKS, new Schedule.Free(), recorded.ranks);
      assertThat(recorded.text()).isEqualTo(result);
      Output replayed = new Output(program);
      Recordings.replay(scratch, "replayed", run, replayed.ranks);
      assertThat(replayed.text()).as("replayed").isEqualTo(result);
      for (long seed = 1; seed <= 2; seed++) {
        assertThat(seeded(program, RANKS, seed)).as("seed %d", seed).isEqualTo(result);
      }
    }
  }

  @ParameterizedTest
  @org.junit.jupiter.params.provider.ValueSource(strings = {"CollectiveForms", "MessageForms"})
  void everyFormOfTheOpenMpiDialectDoesWhatItSays(String name) {
    try (HostedProgram program =
        HostedProgram.open(ProgramCommand.parse(List.of(name + ".java")), FORMS)) {
      for (int ranks = 2; ranks <= 4; ranks++) {
        assertThat(seeded(program, ranks, ranks)).isEqualTo(name + ": ok\n");
      }
    }
  }

  @Test
  void thoseOfMpjCompileAgainstMpjExpress() throws IOException {
    List<String> words =
        new ArrayList<>(
            List.of(
                "-nowarn",
                "--release",
                "11",
                "-cp",
                "/usr/share/java/mpj.jar",
                "-d",
                scratch.toString()));
    try (Stream<Path> sources = Files.list(EXAMPLES.resolve("mpj"))) {
      sources.map(Path::toString).forEach(words::add);
    }
    ByteArrayOutputStream errors = new ByteArrayOutputStream();
    int status =
        ToolProvider.getSystemJavaCompiler().run(null, null, errors, words.toArray(String[]::new));
    assertThat(status).as(errors.toString(StandardCharsets.UTF_8)).isZero();
  }

  private static String seeded(HostedProgram program, int ranks, long seed) {
    Output output = new Output(program);
    JobResult result =
        EmbeddedJob.run(JobRequest.of(ranks, new Schedule.Seeded(seed)), output.ranks);
    assertThat(result.firstFailure().map(JobResult.RankEnd::failure)).isEmpty();
    assertThat(result.deadlock()).isEmpty();
    return output.text();
  }

  /** One run of a program, and what it prints. */
  private static final class Output {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    final HostedRanks ranks;

    Output(HostedProgram program) {
      RankStreams streams =
          new RankStreams(
              () -> bytes,
              OutputStream::nullOutputStream,
              InputStream::nullInputStream,
              StandardCharsets.UTF_8);
      ranks = new HostedRanks(program, List.of(), _ -> streams);
    }

    String text() {
      return bytes.toString(StandardCharsets.UTF_8);
    }
  }
}
