package org.reprise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs that earlier versions recorded are read as they were then. cli/src/test/runs has a few of
 * each version, one that crashed among them; they are never renewed. A version that changes the
 * format adds its own.
 */
class EarlierVersionsTest {
  private static final Path RUNS = Path.of(System.getProperty("reprise.root"), "cli/src/test/runs");

  /** What can be asked of a run without running its program. */
  private static final List<List<String>> QUESTIONS =
      List.of(
          List.of("show"),
          List.of("show", "--rank", "0", "--count", "8"),
          List.of("show", "--inputs", "--count", "3"),
          List.of("events", "--no-run", "--count", "3"),
          List.of("graph", "--no-run", "--past", "0:1"));

  @TempDir Path home;

  @Test
  void runsOfVersion010AreRead() throws IOException {
    unpack(RUNS.resolve("0.1.0.zip"));
    Shell shell = new Shell(home);
    StringBuilder answers = new StringBuilder();
    for (String run : List.of("order_sum", "rare_crash", "stdin_sum", "LostUpdate")) {
      for (List<String> question : QUESTIONS) {
        String[] words = question.toArray(String[]::new);
        String[] command = new String[words.length + 1];
        System.arraycopy(words, 0, command, 0, words.length);
        command[words.length] = run;
        int status = shell.type(command);
        answers.append("$ reprise ").append(String.join(" ", command)).append('\n');
        answers.append(shell.out()).append(shell.err());
        answers.append("exit status ").append(status).append("\n\n");
      }
      int races = shell.type("races", "--no-run", run);
      answers.append("races: exit status ").append(races).append("\n\n");
    }
    assertThat(shell.type("diff", "order_sum", "order_sum-distilled")).isZero();
    answers.append(shell.out());
    Golden.check("runs-0.1.0", answers.toString());
  }

  private void unpack(Path archive) throws IOException {
    try (InputStream file = Files.newInputStream(archive);
        ZipInputStream zip = new ZipInputStream(file)) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        Path target = home.resolve(entry.getName());
        Files.createDirectories(
            target.getParent(),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Files.copy(zip, target);
        Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("rw-------"));
      }
    }
  }
}
