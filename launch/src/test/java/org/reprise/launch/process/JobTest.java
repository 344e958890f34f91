package org.reprise.launch.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.reprise.launch.FakeMpi;
import org.reprise.launch.MpiUnderTest;
import org.reprise.trace.UserError;

@Timeout(60)
class JobTest {
  @TempDir Path directory;

  private Job start(StandardInput input, String... words) {
    Surroundings here = MpiUnderTest.surroundings(Map.of());
    return Job.start(
        new PreparedCommand(List.of(words), here.environment()),
        new Surroundings(here.environment(), directory, input),
        Optional.of(directory.resolve("kept")),
        Optional.of(directory.resolve("output")));
  }

  private Job shell(String script) {
    return start(new StandardInput.Inherited(), "sh", "-c", script);
  }

  private void awaitOutput(String text) throws Exception {
    while (!Files.readString(directory.resolve("output")).contains(text)) {
      Thread.sleep(10);
    }
  }

  /** Whoever held the other end of its standard input is gone. */
  @Test
  void aCommandOfASearchEndsWithReprise() throws Exception {
    Process left = new ProcessBuilder("sleep", "1000").start();
    Process kept = new ProcessBuilder("sleep", "1000").start();
    try {
      new ProcessBuilder(Lifeline.words(left.pid()))
          .redirectInput(Path.of("/dev/null").toFile())
          .start();
      try (Lifeline lifeline = Lifeline.of(kept)) {
        assertThat(lifeline).isNotNull();
      }
      assertThat(left.waitFor()).as("ended by SIGTERM").isEqualTo(128 + 15);
      assertThat(kept.isAlive()).isTrue();
    } finally {
      left.destroyForcibly();
      kept.destroyForcibly();
    }
  }

  @Test
  void theExitStatusPassesThrough() {
    try (Job job = shell("exit 42")) {
      assertThat(job.waitFor()).isEqualTo(42);
      assertThat(job.wasSignalled()).isFalse();
    }
    try (Job job = shell("kill -9 $$")) {
      assertThat(job.waitFor()).isEqualTo(137);
    }
  }

  @Test
  void aCommandThatIsNotThereExitsLikeAShell() {
    assertThatThrownBy(() -> start(new StandardInput.Inherited(), "no-such-command"))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("cannot start no-such-command")
        .satisfies(e -> assertThat(((UserError) e).exitCode()).isEqualTo(127));
  }

  @Test
  void aCommandIsLookedUpInThePathItGets() throws Exception {
    Path bin = Files.createDirectory(directory.resolve("bin"));
    new FakeMpi(bin).script("only-here", "exit 7\n");
    Surroundings here =
        MpiUnderTest.surroundings(Map.of("PATH", bin + ":" + System.getenv("PATH")));
    PreparedCommand command = new PreparedCommand(List.of("only-here"), here.environment());
    try (Job job = Job.start(command, here, Optional.empty(), Optional.empty())) {
      assertThat(job.waitFor()).isEqualTo(7);
    }
  }

  @ParameterizedTest
  @CsvSource({"TERM, 15", "HUP, 1"})
  void aSignalToRepriseGoesToTheCommandWhichMayFinish(String signal, int number) throws Exception {
    String script =
        "trap 'echo finished; exit %d' %s; echo ready; while :; do sleep 0.05; done"
            .formatted(100 + number, signal);
    try (Job job = shell(script)) {
      awaitOutput("ready");
      new ProcessBuilder("kill", "-" + signal, "" + ProcessHandle.current().pid())
          .start()
          .waitFor();
      if (isIgnored(number)) { // under nohup, and then the command has inherited it
        assertThat(job.wasSignalled()).isFalse();
        return;
      }
      assertThat(job.waitFor()).isEqualTo(100 + number);
      assertThat(job.wasSignalled()).isTrue();
      awaitOutput("finished");
    }
  }

  private static boolean isIgnored(int signal) throws IOException {
    return Files.readAllLines(Path.of("/proc/self/status")).stream()
        .filter(line -> line.startsWith("SigIgn:"))
        .map(line -> Long.parseUnsignedLong(line.substring("SigIgn:".length()).strip(), 16))
        .anyMatch(ignored -> (ignored >> (signal - 1) & 1) == 1);
  }

  @Test
  void endingAJobEndsItsChildrenEvenIfTheyWillNot() throws Exception {
    Job job = shell("trap '' TERM; sleep 1000 & echo $!; while :; do sleep 0.1; done");
    awaitOutput("\n");
    long child = Long.parseLong(Files.readString(directory.resolve("output")).strip());
    assertThat(ProcessHandle.of(child)).isPresent();
    job.close();
    assertThat(job.waitFor()).isEqualTo(137);
    while (ProcessHandle.of(child).filter(ProcessHandle::isAlive).isPresent()) {
      Thread.sleep(10);
    }
  }

  @Test
  void pipedInputIsPassedOnAndKept() throws Exception {
    byte[] input = "a\nb\n".repeat(100_000).getBytes(StandardCharsets.UTF_8);
    try (Job job = start(new StandardInput.Piped(new ByteArrayInputStream(input)), "cat")) {
      assertThat(job.waitFor()).isZero();
    }
    assertThat(directory.resolve("output")).hasBinaryContent(input);
    assertThat(directory.resolve("kept")).hasBinaryContent(input);
  }

  @Test
  void aCommandThatReadsNoInputEndsAllTheSame() throws Exception {
    byte[] input = new byte[1_000_000];
    try (Job job = start(new StandardInput.Piped(new ByteArrayInputStream(input)), "true")) {
      assertThat(job.waitFor()).isZero();
    }
    try (PipedOutputStream never = new PipedOutputStream();
        InputStream silent = new PipedInputStream(never);
        Job job = start(new StandardInput.Piped(silent), "true")) {
      assertThat(job.waitFor()).as("input that never ends").isZero();
    }
  }

  @Test
  void keptInputIsGivenAgain() throws Exception {
    Path kept = Files.writeString(directory.resolve("stdin"), "once more\n");
    try (Job job = start(new StandardInput.Kept(kept), "cat")) {
      assertThat(job.waitFor()).isZero();
    }
    assertThat(directory.resolve("output")).hasContent("once more\n");
  }
}
