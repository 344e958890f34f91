package org.reprise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.reprise.trace.run.RunDirectory;
import org.reprise.trace.run.RunSeal;

/** A run that one user packs and another unpacks. */
class PackCommandTest {
  @TempDir Path directory;
  private Shell ada = new Shell(Path.of("unset"));
  private Shell bob = new Shell(Path.of("unset"));
  private String sent = "unset";

  @BeforeEach
  void open() throws IOException {
    ada = new Shell(directory.resolve("ada"));
    bob = new Shell(directory.resolve("bob"));
    sent = directory.resolve("sent.reprise").toString();
    SampleRuns.bank(ada.store());
  }

  @Test
  void whatOnePacksAnotherSees() throws IOException {
    assertThat(ada.type("pack", "-o", sent)).as(ada.err()).isZero();
    assertThat(ada.out()).startsWith("packed bank-1 as sent.reprise: ");
    assertThat(bob.type("unpack", sent)).as(bob.err()).isZero();
    assertThat(bob.out()).startsWith("unpacked bank-1: 3 ranks");
    ada.type("show", "--rank", "0");
    bob.type("show", "--rank", "0");
    assertThat(bob.out()).isNotEmpty().isEqualTo(ada.out());
    RunDirectory run = bob.store().latest();
    assertThat(RunSeal.of(bob.environment()).doubt(run, run.description()))
        .as("it is not bob's own run")
        .isPresent();
  }

  @Test
  void aNameThatIsTakenGetsTheNextNumber() {
    ada.type("pack", "-o", sent);
    assertThat(ada.type("unpack", sent)).isZero();
    assertThat(ada.store().latest().name()).isEqualTo("bank-2");
    assertThat(ada.store().latest().description().name()).isEqualTo("bank-2");
    assertThat(ada.type("unpack", "--name", "theirs", sent)).isZero();
    assertThat(ada.store().latest().name()).isEqualTo("theirs");
  }

  @Test
  void whatDiffersHereIsListed() throws IOException {
    ada.type("pack", "-o", sent);
    bob.type("unpack", sent);
    assertThat(bob.err()).contains("is not here");
  }

  @Test
  void aFileIsReplacedOnlyIfAsked() throws IOException {
    Files.writeString(Path.of(sent), "a letter");
    assertThat(ada.type("pack", "-o", sent)).isEqualTo(1);
    assertThat(ada.err()).contains("there is a file of this name already");
    assertThat(Files.readString(Path.of(sent))).isEqualTo("a letter");
    assertThat(ada.type("pack", "-f", "-o", sent)).isZero();
    assertThat(bob.type("unpack", sent)).isZero();
  }

  @Test
  void whatIsDamagedIsRefusedAndLeavesNothing() throws IOException {
    Files.writeString(Path.of(sent), "a letter");
    assertThat(bob.type("unpack", sent)).isEqualTo(65);
    assertThat(bob.err()).contains("is not a packed run");
    ada.type("pack", "-f", "-o", sent);
    byte[] whole = Files.readAllBytes(Path.of(sent));
    Files.write(Path.of(sent), Arrays.copyOf(whole, whole.length * 2 / 3));
    assertThat(bob.type("unpack", sent)).isEqualTo(65);
    assertThat(bob.err()).contains("is damaged");
    assertThat(bob.store().list()).isEmpty();
    try (Stream<Path> left = Files.list(bob.store().home())) {
      assertThat(left.filter(file -> !file.endsWith(".state"))).isEmpty();
    }
  }

  @Test
  void moreThanAllowedIsRefusedBeforeAnythingIsWritten() {
    ada.type("pack", "-o", sent);
    assertThat(bob.type("unpack", "--max-disk", "1k", sent)).isEqualTo(1);
    assertThat(bob.err()).contains("holds more than");
    assertThat(bob.store().list()).isEmpty();
  }

  @Test
  void aRunDoesNotGoToATerminal() {
    assertThat(ada.onTerminal(80, false).type("pack", "-o", "-")).isEqualTo(1);
    assertThat(ada.err()).contains("nothing to look at");
  }
}
