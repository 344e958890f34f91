package mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.reprise.ranks.EmbeddedJob;
import org.reprise.ranks.JobRequest;
import org.reprise.ranks.Schedule;
import org.reprise.ranks.engine.JobResult;
import org.reprise.ranks.host.HostedProgram;
import org.reprise.ranks.host.HostedRanks;
import org.reprise.ranks.host.ProgramCommand;
import org.reprise.ranks.host.RankStreams;

/**
 * The programs in src/test/programs, each of which checks what it gets, are programs for MPJ
 * Express and for us: they compile against both, run here, and say here what they say there.
 */
class ProgramsTest {
  private static final Path PROGRAMS =
      Path.of(System.getProperty("reprise.root"), "ranks/src/test/programs");
  private static final Path JAVA = Path.of("/usr/share/java");
  private static final int RANKS = 4;

  @TempDir private Path scratch;

  static List<String> programs() throws Exception {
    try (Stream<Path> files = Files.list(PROGRAMS)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("programs")
  void aProgramRunsWithRanksInParallel(String program) {
    assertThat(run(program, new Schedule.Free())).isEqualTo(said(program));
  }

  @ParameterizedTest
  @MethodSource("programs")
  void aProgramRunsInAnyOrderAndWithoutBuffering(String program) {
    for (long seed = 1; seed <= 4; seed++) {
      assertThat(run(program, new Schedule.Seeded(seed)))
          .as("seed %d", seed)
          .isEqualTo(said(program));
    }
  }

  @Test
  void allCompileAgainstMpjExpress() throws Exception {
    compileForMpj(programs());
  }

  /**
   * Some of those that MPJ Express 0.44 can run. It fails in others: offsets in Gather, gaps,
   * groups, PROC_NULL, Cancel.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "Modes.java",
        "Types.java",
        "Completion.java",
        "Communicators.java",
        "ObjectCollectives.java"
      })
  void mpjExpressSaysTheSame(String program) throws Exception {
    compileForMpj(List.of(program));
    assertThat(runOnMpj(program)).contains(said(program));
  }

  private static String said(String program) {
    String name = program.replace(".java", "");
    return name + ": ok" + (name.equals("Environment") ? ", " + RANKS + " ranks" : "") + "\n";
  }

  private static List<String> arguments(String program) {
    return program.equals("Environment.java") ? List.of("one", "two words") : List.of();
  }

  private static String run(String program, Schedule schedule) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    JobResult result;
    List<String> words = new ArrayList<>(List.of(program));
    words.addAll(arguments(program));
    try (HostedProgram hosted = HostedProgram.open(ProgramCommand.parse(words), PROGRAMS)) {
      RankStreams streams =
          new RankStreams(
              () -> out,
              OutputStream::nullOutputStream,
              InputStream::nullInputStream,
              StandardCharsets.UTF_8);
      result =
          EmbeddedJob.run(
              JobRequest.of(RANKS, schedule),
              new HostedRanks(hosted, arguments(program), _ -> streams));
    }
    assertThat(result.firstFailure().map(JobResult.RankEnd::failure)).isEmpty();
    assertThat(result.deadlock()).isEmpty();
    assertThat(result.succeeded()).isTrue();
    return out.toString(StandardCharsets.UTF_8);
  }

  private void compileForMpj(List<String> programs) {
    List<String> words =
        new ArrayList<>(
            List.of(
                "-nowarn",
                "--release",
                "11",
                "-cp",
                JAVA.resolve("mpj.jar").toString(),
                "-d",
                scratch.toString()));
    programs.forEach(program -> words.add(PROGRAMS.resolve(program).toString()));
    ByteArrayOutputStream errors = new ByteArrayOutputStream();
    int status =
        ToolProvider.getSystemJavaCompiler().run(null, null, errors, words.toArray(String[]::new));
    assertThat(status).as(errors.toString(StandardCharsets.UTF_8)).isZero();
  }

  /** Its launcher puts log4j into no class path, so it goes to the boot class path. */
  private String runOnMpj(String program) throws Exception {
    String jars;
    try (Stream<Path> files = Files.list(Path.of("/usr/share/mpj/lib"))) {
      jars = String.join(":", files.map(Path::toString).toList());
    }
    String log4j = "-Xbootclasspath/a:" + JAVA.resolve("log4j-1.2.jar");
    Path output = scratch.resolve("output");
    ProcessBuilder command =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-cp",
                jars,
                "runtime.starter.MPJRun",
                "-np",
                String.valueOf(RANKS),
                "-cp",
                scratch.toString(),
                program.replace(".java", ""))
            .directory(scratch.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    command.environment().putAll(Map.of("MPJ_HOME", "/usr/share/mpj", "JAVA_TOOL_OPTIONS", log4j));
    Process process = command.start();
    boolean ended = process.waitFor(60, TimeUnit.SECONDS);
    if (!ended) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    assertThat(ended).as("MPJ Express ended").isTrue();
    return Files.readString(output);
  }
}
