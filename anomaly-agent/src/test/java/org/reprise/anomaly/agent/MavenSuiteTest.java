package org.reprise.anomaly.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDir;
import org.reprise.anomaly.junit.NoAnomalies;

/** A Maven project that knows nothing of Reprise: its tests fail if they have anomalies. */
class MavenSuiteTest {
  private static final int MINUTES_MAX = 5;

  @TempDir private Path directory;

  private Path project = Path.of("");

  @BeforeEach
  void copy() throws IOException {
    Path example = Path.of("..", "examples", "java", "maven-suite");
    project = directory.resolve("project");
    try (Stream<Path> files = Files.walk(example)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        Path copy = project.resolve(example.relativize(file).toString());
        if (Files.isDirectory(file)) {
          Files.createDirectories(copy);
        } else {
          Files.copy(file, copy);
        }
      }
    }
  }

  @Test
  void onlyTheTestWithAnAnomalyFailsAndTheFailureNamesTheLines() throws Exception {
    assertThat(checked("totals."))
        .contains("Tests run: 2, Failures: 1")
        .contains("TotalsTest.sharedTotal")
        .contains("WRITE-WRITE Totals.total (anomaly")
        .contains("Totals.java:11")
        .doesNotContain("TotalsTest.reducedTotal");
  }

  @Test
  void testsOfWhichNothingIsCheckedFailAndTheFailureSaysWhatToInclude() throws Exception {
    assertThat(checked("com.acme."))
        .contains("Tests run: 2, Failures: 2")
        .contains("does not begin with 'com.acme.' (include); 'totals.' would match it");
  }

  @Test
  void withoutTheAgentATestThatAsksForItFails() {
    ExtensionContext context =
        (ExtensionContext)
            Proxy.newProxyInstance(
                ExtensionContext.class.getClassLoader(),
                new Class<?>[] {ExtensionContext.class},
                (proxy, method, arguments) -> null);
    assertThatThrownBy(() -> new NoAnomalies().beforeEach(context))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("this virtual machine runs without the anomaly agent");
  }

  /** The extension's jar is all that a project needs: the agent brings the hooks. */
  @Test
  void withoutTheHooksATestThatAsksForThemFailsInTheSameWay() throws Exception {
    String output =
        maven(
            "-DargLine=-Djunit.jupiter.extensions.autodetection.enabled=true",
            "-Dmaven.test.additionalClasspath=" + AgentJar.location(NoAnomalies.class));
    assertThat(output)
        .contains("Tests run: 2, Failures: 2, Errors: 0")
        .contains("this virtual machine runs without the anomaly agent");
  }

  /** What Maven prints where classes whose names begin like this are checked. */
  private String checked(String include) throws Exception {
    return maven(
        "-DargLine=-javaagent:"
            + AgentJar.build(directory)
            + "=include="
            + include
            + " -Xshare:off -Djunit.jupiter.extensions.autodetection.enabled=true",
        "-Dmaven.test.additionalClasspath=" + AgentJar.location(NoAnomalies.class));
  }

  private String maven(String... options) throws Exception {
    List<String> command = new ArrayList<>(List.of("mvn", "-o", "-B", "test"));
    command.addAll(List.of(options));
    Path log = directory.resolve("log.txt");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(project.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    // What this build was told is not for that one, which is over before its code is worth C2's
    // time.
    builder.environment().put("MAVEN_OPTS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC");
    builder.environment().remove("MAVEN_ARGS");
    Process process = builder.start();
    if (!process.waitFor(MINUTES_MAX, TimeUnit.MINUTES)) {
      process.destroyForcibly().waitFor();
      throw new IllegalStateException("Maven did not end: " + Files.readString(log));
    }
    return Files.readString(log);
  }
}
