package org.reprise.cli.terminal;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** A line from the terminal that is this process's standard input. */
final class TypedLine {
  private static final int BYTES_MAX = 100;

  /**
   * Reads byte by byte: what stands behind the line is for the program that runs next. Empty if
   * standard input is no terminal.
   */
  static Optional<String> read() {
    try {
      String input = Files.readSymbolicLink(Path.of("/proc/self/fd/0")).toString();
      if (!input.startsWith("/dev/pts/") && !input.startsWith("/dev/tty")) {
        return Optional.empty();
      }
      InputStream terminal = new FileInputStream(FileDescriptor.in);
      byte[] line = new byte[BYTES_MAX];
      int length = 0;
      for (int next = terminal.read(); next >= 0 && next != '\n'; next = terminal.read()) {
        if (length < BYTES_MAX) {
          line[length++] = (byte) next;
        }
      }
      return Optional.of(new String(line, 0, length, StandardCharsets.UTF_8));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private TypedLine() {}
}
