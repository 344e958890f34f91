package org.reprise.trace.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.reprise.trace.TraceError;

/** A run may be made by somebody who wants its reader to read something else, or for ever. */
class RunFileTest {
  @TempDir Path directory;

  @Test
  void aLinkIsNotFollowed() throws IOException {
    Path secret = Files.writeString(directory.resolve("secret"), "mine");
    Path link = Files.createSymbolicLink(directory.resolve("stdin"), secret);
    assertRefused(link, "a symbolic link");
  }

  @Test
  void aNamedPipeIsNotOpened() throws Exception {
    Path pipe = directory.resolve("stdin");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    assertRefused(pipe, "a device, a pipe or a socket");
  }

  @Test
  void aDirectoryIsNoFile() throws IOException {
    assertRefused(Files.createDirectory(directory.resolve("stdin")), "a directory");
  }

  @Test
  void aLinkThatLeadsNowhereIsThere() throws IOException {
    Path link = Files.createSymbolicLink(directory.resolve("stdin"), Path.of("nowhere"));
    assertThat(RunFile.isThere(link)).isTrue();
    assertRefused(link, "a symbolic link");
  }

  @Test
  void aCopyIsItsOwnersAlone() throws IOException {
    Path from = Files.writeString(directory.resolve("from"), "input of a program");
    Files.setPosixFilePermissions(from, PosixFilePermissions.fromString("rw-rw-rw-"));
    Path to = directory.resolve("to");
    RunFile.copy(from, to, 5);
    assertThat(to).hasContent("input");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(to)))
        .isEqualTo("rw-------");
  }

  @Test
  void aFileOfHolesDoesNotFillTheDisk() throws IOException {
    Path from = directory.resolve("from");
    long bytes = Files.getFileStore(directory).getUsableSpace() + (1L << 30);
    try (RandomAccessFile holes = new RandomAccessFile(from.toFile(), "rw")) {
      holes.setLength(bytes);
    }
    Path to = directory.resolve("to");
    assertThatThrownBy(() -> RunFile.copy(from, to, bytes))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no room");
    assertThat(to).doesNotExist();
  }

  private static void assertRefused(Path file, String found) {
    assertThatThrownBy(
            () -> {
              try (InputStream in = RunFile.stream(file)) {
                in.read();
              }
            })
        .isInstanceOf(TraceError.class)
        .hasMessageContaining("is not a regular file")
        .hasMessageContaining(found);
  }
}
