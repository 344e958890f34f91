package org.reprise.launch.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.reprise.anomaly.report.AnomalyVerdict;
import org.reprise.anomaly.report.Obstacle;
import org.reprise.launch.process.StandardInput;
import org.reprise.launch.process.Surroundings;
import org.reprise.trace.UserError;

/** The command gets the agent, keeps its exit status, and the report is read back. */
class CheckedRunTest {
  private static final String REPORT =
      "{\"version\":1,\"verdict\":\"anomalies\",\"anomalies\":[{\"id\":\"1\",\"type\":\"anomaly\","
          + "\"kind\":\"WRITE-WRITE\",\"variable\":\"A.x\",\"example\":\"A.x\",\"volatile\":false,"
          + "\"source\":{\"class\":\"A\",\"method\":\"m\",\"file\":\"A.java\",\"line\":3,\"call\":\"\",\"block\":\"the"
          + " thread\",\"locks\":[],\"stack\":[\"A.m(A.java:3)\"]},"
          + "\"sink\":{\"class\":\"A\",\"method\":\"m\",\"file\":\"A.java\",\"line\":4,\"call\":\"\",\"block\":\"the"
          + " thread\",\"locks\":[\"L\"],\"stack\":[]}}],\"lockOrdered\":[],\"obstacles\":[{\"what\":\"a"
          + " clock\",\"place\":\"A.java:9\"}],\"masked\":[],\"commuting\":[]}";

  /** A program that finds something as long as its input says so. */
  private static final String READS =
      "read word; echo \"$word\" >> words; dir=${1##*report=}; case $word in\n"
          + "race) cat > $dir/verdict-1.json <<'END'\n"
          + REPORT
          + "\nEND\nesac\n";

  private static final String AGAIN =
      "there are findings: the program runs again, every access checked by itself";

  @TempDir private Path directory;

  private CheckedRun check(String name, String body) throws IOException {
    Path program = script(name, body);
    Surroundings surroundings =
        new Surroundings(Map.of("PATH", "/usr/bin:/bin"), directory, StandardInput.current());
    return CheckedRun.of(
        List.of(program.toString(), "-jar", "app.jar"),
        Path.of("agent.jar"),
        List.of("include=a"),
        surroundings);
  }

  private Path script(String name, String body) throws IOException {
    Path program = directory.resolve(name);
    Files.writeString(program, "#!/bin/sh\n" + body + "\n");
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    return program;
  }

  @Test
  void javaIsGivenTheAgentOnItsCommandLine() throws Exception {
    CheckedRun run =
        check(
            "java",
            "case \"$1\" in -javaagent:agent.jar=include=a,report=*) ;; *) exit 9;; esac\n"
                + "dir=${1##*report=}; cat > $dir/verdict-1.json <<'END'\n"
                + REPORT
                + "\nEND\nexit 3");
    assertThat(run.exitStatus()).isEqualTo(3);
    assertThat(run.reports()).hasSize(1);
    AnomalyVerdict report = run.reports().getFirst().verdict();
    assertThat(report.word()).isEqualTo(AnomalyVerdict.Word.ANOMALIES);
    assertThat(report.anomalies().getFirst().source().line()).isEqualTo(3);
    assertThat(report.anomalies().getFirst().source().stack()).containsExactly("A.m(A.java:3)");
    assertThat(report.anomalies().getFirst().sink().locks()).containsExactly("L");
    assertThat(report.obstacles()).containsExactly(new Obstacle("a clock", "A.java:9"));
  }

  @Test
  void otherCommandsHandTheAgentOnThroughTheEnvironment() throws Exception {
    CheckedRun run =
        check(
            "mvn",
            "case \"$JAVA_TOOL_OPTIONS\" in -javaagent:agent.jar=include=a,report=*) exit 0;;"
                + " esac\n"
                + "exit 9");
    assertThat(run.exitStatus()).isZero();
    assertThat(run.reports()).isEmpty();
  }

  @Test
  void aVirtualMachineThatCheckedNothingIsHeardIfThereIsNoOther() throws Exception {
    String idle =
        "dir=${1##*report=}; echo '{\"version\":1,\"verdict\":\"not validated\","
            + "\"obstacles\":[{\"what\":\"nothing was checked\"}]}' > $dir/idle-2.json\n";
    assertThat(check("java", idle).reports())
        .singleElement()
        .satisfies(
            report ->
                assertThat(report.verdict().obstacles())
                    .containsExactly(new Obstacle("nothing was checked")));
    String verdict = "cat > $dir/verdict-1.json <<'END'\n" + REPORT + "\nEND\n";
    assertThat(check("java", idle + verdict).reports())
        .singleElement()
        .satisfies(
            report -> assertThat(report.verdict().word()).isEqualTo(AnomalyVerdict.Word.ANOMALIES));
  }

  private CheckedRun twice(String body, List<String> messages) throws IOException {
    Path program = script("java", body);
    StandardInput input =
        new StandardInput.Piped(
            new ByteArrayInputStream("race\n".getBytes(StandardCharsets.UTF_8)));
    return CheckedRun.twice(
        List.of(program.toString()),
        Path.of("agent.jar"),
        List.of(),
        new Surroundings(Map.of("PATH", "/usr/bin:/bin"), directory, input),
        messages::add);
  }

  @Test
  void theSecondRunReadsWhatTheFirstOneRead() throws Exception {
    List<String> messages = new ArrayList<>();
    CheckedRun run = twice(READS, messages);
    assertThat(Files.readAllLines(directory.resolve("words"))).containsExactly("race", "race");
    assertThat(run.reports()).hasSize(1);
    assertThat(messages).containsExactly(AGAIN);
  }

  @Test
  void whatTheSecondRunDoesNotFindAgainStands() throws Exception {
    List<String> messages = new ArrayList<>();
    CheckedRun run = twice("[ -e words ] && exit 5\n" + READS, messages);
    assertThat(run.exitStatus()).isZero();
    assertThat(run.reports().getFirst().verdict().word()).isEqualTo(AnomalyVerdict.Word.ANOMALIES);
    assertThat(messages)
        .containsExactly(
            AGAIN, "the second run did not find all of this again: the first run is shown");
  }

  @Test
  void aReportOfAnotherVersionIsRefused() {
    assertThatThrownBy(() -> AnomalyReport.parse("{\"version\":99}"))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("the report of the anomaly agent cannot be read");
    assertThatThrownBy(() -> AnomalyReport.parse("{\"version\":")).isInstanceOf(UserError.class);
  }
}
