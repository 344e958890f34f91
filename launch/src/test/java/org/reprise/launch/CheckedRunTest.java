package org.reprise.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.reprise.trace.UserError;

/** The command gets the agent, keeps its exit status, and the report is read back. */
class CheckedRunTest {
  private static final String REPORT =
      "{\"version\":1,\"verdict\":\"anomalies\",\"anomalies\":[{\"id\":\"1\",\"type\":\"anomaly\","
          + "\"kind\":\"WRITE-WRITE\",\"variable\":\"A.x\",\"example\":\"A.x\",\"volatile\":false,"
          + "\"source\":{\"class\":\"A\",\"method\":\"m\",\"file\":\"A.java\",\"line\":3,\"call\":\"\","
          + "\"block\":\"the thread\",\"locks\":[],\"stack\":[\"A.m(A.java:3)\"]},"
          + "\"sink\":{\"class\":\"A\",\"method\":\"m\",\"file\":\"A.java\",\"line\":4,\"call\":\"\","
          + "\"block\":\"the thread\",\"locks\":[\"L\"],\"stack\":[]}}],\"lockOrdered\":[],"
          + "\"obstacles\":[{\"what\":\"a clock\",\"place\":\"A.java:9\"}],\"masked\":[],\"commuting\":[]}";

  @TempDir private Path directory;

  private CheckedRun check(String name, String body) throws IOException {
    Path program = directory.resolve(name);
    Files.writeString(program, "#!/bin/sh\n" + body + "\n");
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    Surroundings surroundings =
        new Surroundings(Map.of("PATH", "/usr/bin:/bin"), directory, StandardInput.current());
    return CheckedRun.of(
        List.of(program.toString(), "-jar", "app.jar"),
        Path.of("agent.jar"),
        List.of("include=a"),
        surroundings);
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
    AnomalyReport report = run.reports().getFirst();
    assertThat(report.verdict()).isEqualTo("anomalies");
    assertThat(report.anomalies().getFirst().source().place()).isEqualTo("A.java:3");
    assertThat(report.anomalies().getFirst().source().stack()).containsExactly("A.m(A.java:3)");
    assertThat(report.anomalies().getFirst().sink().locks()).containsExactly("L");
    assertThat(report.obstacles()).containsExactly("a clock at A.java:9");
  }

  @Test
  void otherCommandsHandTheAgentOnThroughTheEnvironment() throws Exception {
    CheckedRun run =
        check(
            "mvn",
            "case \"$JAVA_TOOL_OPTIONS\" in -javaagent:agent.jar=include=a,report=*) exit 0;; esac\nexit 9");
    assertThat(run.exitStatus()).isZero();
    assertThat(run.reports()).isEmpty();
  }

  @Test
  void aReportOfAnotherVersionIsRefused() {
    assertThatThrownBy(() -> AnomalyReport.parse("{\"version\":99}"))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("the report of the anomaly agent cannot be read");
    assertThatThrownBy(() -> AnomalyReport.parse("{\"version\":")).isInstanceOf(UserError.class);
  }
}
