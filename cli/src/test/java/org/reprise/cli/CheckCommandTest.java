package org.reprise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code check} refuses before anything runs. */
class CheckCommandTest {
  @TempDir Path directory;

  @Test
  void aSourceFileIsNoCommand() {
    Shell shell = new Shell(directory);
    assertThat(shell.type("check", "Sum.java", "7")).isNotZero();
    assertThat(shell.err())
        .contains("a source file is not a command", "Sum.java", "reprise check java Sum.java");
  }

  @Test
  void formatsAreNamedAsTheyAreTyped() {
    Shell shell = new Shell(directory);
    assertThat(shell.type("check", "--format=xml", "java", "Sum")).isEqualTo(2);
    assertThat(shell.err()).contains("expected one of [text, json, sarif, html] but was 'xml'");
  }

  @Test
  void aPoolHasOneWorkerOrMore() {
    Shell shell = new Shell(directory);
    for (String number : List.of("0", "-3", "40000")) {
      assertThat(shell.type("check", "--workers", number, "java", "Sum")).isNotZero();
      assertThat(shell.err())
          .contains(
              "the common pool cannot have so many workers",
              number,
              "give --workers a number from 1 to 32767");
    }
    assertThat(shell.type("check", "--workers", "many", "java", "Sum")).isEqualTo(2);
    assertThat(shell.type("check", "--jitter", "often", "java", "Sum")).isEqualTo(2);
    assertThat(shell.err()).contains("--jitter", "often");
  }

  @Test
  void aMaskFileThatIsMissingIsNotFound() {
    Shell shell = new Shell(directory);
    assertThat(shell.type("check", "--mask", "nofile", "java", "Sum")).isNotZero();
    assertThat(shell.err())
        .contains("there is no mask file HOME/nofile", "leave out --mask")
        .doesNotContain("found:");
  }

  @Test
  void aMaskEntryIsOneWord() throws IOException {
    Shell shell = new Shell(directory);
    Path mask = directory.resolve("mask");
    Files.writeString(mask, "# caches\ncom.acme.Cache # its hits\nbogus entry here\n");
    assertThat(shell.type("check", "--mask", mask.toString(), "java", "Sum.java")).isNotZero();
    assertThat(shell.err()).contains("is not an entry", "mask:3: bogus entry here");
    Files.writeString(mask, "message-race:gather\nlock-ordered: System.out\nanomly:Cache.hits\n");
    assertThat(shell.type("check", "--suppressions", mask.toString(), "java", "Sum")).isNotZero();
    assertThat(shell.err())
        .contains("names a rule that does not exist", "line 3: anomly:Cache.hits", "lock-ordered");
  }
}
