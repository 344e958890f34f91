package org.reprise.launch.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class ScratchTest {
  @TempDir Path parent;

  /** Makes a directory in another process, says so, and waits to be killed. */
  static final class Owner {
    public static void main(String[] words) throws Exception {
      Scratch scratch = Scratch.create(Path.of(words[0]), "replay-");
      Files.writeString(scratch.path().resolve("rank-0.order"), "half");
      System.out.println(scratch.path());
      Thread.sleep(Duration.ofDays(1));
    }
  }

  private List<Path> there() throws IOException {
    try (Stream<Path> entries = Files.list(parent)) {
      return entries.sorted().toList();
    }
  }

  @Test
  void whatAKilledProcessLeftIsRemovedAndNothingOfALivingOne() throws Exception {
    Process owner =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Owner.class.getName(),
                parent.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try {
      Path theirs = Path.of(owner.inputReader().readLine());
      try (Scratch ours = Scratch.create(parent, "replay-");
          Scratch second = Scratch.create(parent, "replay-")) {
        assertThat(there()).containsExactlyInAnyOrder(theirs, ours.path(), second.path());
      }
      assertThat(there()).containsExactly(theirs);
      owner.destroyForcibly();
      assertThat(owner.waitFor(60, TimeUnit.SECONDS)).isTrue();
      try (Scratch next = Scratch.create(parent, "replay-")) {
        assertThat(there()).containsExactly(next.path());
      }
    } finally {
      owner.destroyForcibly();
    }
  }

  @Test
  void oneWithoutALockMayJustBeMade() throws IOException {
    Path other = Files.createDirectory(parent.resolve("replay-1"));
    Path elsewhere = Files.createDirectory(parent.resolve("elsewhere"));
    Path link = Files.createSymbolicLink(parent.resolve("replay-2"), elsewhere);
    try (Scratch one = Scratch.create(parent, "replay-")) {
      assertThat(there()).containsExactlyInAnyOrder(one.path(), other, elsewhere, link);
    }
    FileTime old = FileTime.from(Instant.now().minus(Duration.ofDays(2)));
    Files.setLastModifiedTime(other, old);
    Files.setLastModifiedTime(elsewhere, old);
    try (Scratch one = Scratch.create(parent, "replay-")) {
      assertThat(there()).containsExactlyInAnyOrder(one.path(), elsewhere, link);
    }
  }
}
