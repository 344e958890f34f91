package org.reprise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What ./reprise does before Java starts, with a JDK and a Maven that only pretend. */
class FirstUseTest {
  private static final Path ROOT = Path.of(System.getProperty("reprise.root"));

  @TempDir private Path directory;
  private Path root;
  private Path temporary;

  @BeforeEach
  void install() throws IOException {
    root = directory.resolve("root");
    temporary = Files.createDirectories(directory.resolve("tmp"));
    Files.createDirectories(root.resolve("scripts"));
    Files.createDirectories(root.resolve("cli/src/main"));
    Files.writeString(root.resolve("pom.xml"), "");
    for (String file : List.of("reprise", "scripts/jdk", "scripts/build")) {
      Files.copy(ROOT.resolve(file), root.resolve(file));
    }
    script("jdk/bin/java", "echo \"java $*\"");
    script("jdk/bin/javac", "");
    Files.writeString(directory.resolve("jdk/release"), "JAVA_VERSION=\"25\"\n");
    maven("mkdir -p cli/target/reprise/lib");
  }

  private void script(String name, String text) throws IOException {
    Path file = directory.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, "#!/bin/bash\n" + text + "\n");
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }

  private void maven(String does) throws IOException {
    script("bin/mvn", "echo '[INFO] Building Reprise: trace 0.1.0      [1/2]'\n" + does);
  }

  private Process start(String before) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
            "setsid", "bash", "-c", before + " exec bash " + root.resolve("reprise") + " ls");
    builder.environment().put("PATH", directory.resolve("bin") + ":" + System.getenv("PATH"));
    builder.environment().put("REPRISE_JAVA_HOME", directory.resolve("jdk").toString());
    builder.environment().put("TMPDIR", temporary.toString());
    return builder.redirectErrorStream(true).start();
  }

  private String run(String before) throws Exception {
    Process process = start(before);
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return output;
  }

  private List<Path> leftBehind() throws IOException {
    try (Stream<Path> files = Files.list(temporary)) {
      return files.toList();
    }
  }

  @Test
  void theFirstUseBuildsAndTheNextDoesNot() throws Exception {
    assertThat(run(""))
        .contains("building Reprise (first use")
        .contains("org.reprise.cli.Reprise ls");
    assertThat(run("")).doesNotContain("building").contains("org.reprise.cli.Reprise ls");
    assertThat(leftBehind()).isEmpty();
  }

  @Test
  void itNeedsNoHome() throws Exception {
    script("bin/java", "echo none"); // so that it goes on to look in the usual places
    assertThat(run("unset HOME REPRISE_JAVA_HOME JAVA_HOME;")).doesNotContain("unbound variable");
  }

  @Test
  void limitsUnderWhichNoJvmStartsAreNamed() throws Exception {
    assertThat(run("ulimit -v 1000000;"))
        .startsWith("reprise: too little address space for Java\n  found: ulimit -v 1000000");
    assertThat(run("ulimit -n 40;"))
        .startsWith("reprise: too few files may be open for Java\n  found: ulimit -n 40");
  }

  @Test
  void aBuildThatFailsShowsItsErrorsOnly() throws Exception {
    maven("echo '[ERROR] no such symbol'; exit 1");
    assertThat(run(""))
        .contains("[ERROR] no such symbol")
        .doesNotContain("[INFO]")
        .contains("Reprise could not be built");
    assertThat(leftBehind()).isEmpty();
  }

  @Test
  void anInterruptedBuildLeavesNothingBehindAndTheBuildBeforeInPlace() throws Exception {
    run("");
    Path kept = Files.writeString(root.resolve("cli/target/reprise/lib/kept.jar"), "");
    Files.writeString(root.resolve("pom.xml"), "changed");
    Path begun = directory.resolve("begun");
    maven("touch " + begun + "; exec sleep 600");
    Process process = start("");
    while (!Files.exists(begun)) {
      assertThat(process.isAlive()).isTrue();
      Thread.sleep(20);
    }
    assertThat(leftBehind()).isNotEmpty();
    // As a terminal's Ctrl-C: to the whole group, which setsid made this process the leader of.
    new ProcessBuilder("bash", "-c", "kill -TERM -- -" + process.pid()).start().waitFor();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    // The part that tidies up may outlive the command by a moment.
    for (int look = 0; look < 3000 && !(leftBehind().isEmpty() && Files.exists(kept)); look++) {
      Thread.sleep(20);
    }
    assertThat(leftBehind()).isEmpty();
    assertThat(kept).exists();
  }
}
