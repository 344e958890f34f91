package org.reprise.cli.terminal;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Standard output, which remembers why it could not be written: those who print through a {@link
 * java.io.PrintWriter} are not told.
 */
final class StandardOutput extends FilterOutputStream {
  private Optional<IOException> trouble = Optional.empty();

  StandardOutput(OutputStream out) {
    super(out);
  }

  static StandardOutput ofProcess() {
    return new StandardOutput(new FileOutputStream(FileDescriptor.out));
  }

  @Override
  public void write(int oneByte) throws IOException {
    write(new byte[] {(byte) oneByte}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    try {
      out.write(bytes, offset, length);
    } catch (IOException e) {
      trouble = trouble.or(() -> Optional.of(e));
      throw e;
    }
  }

  /**
   * Why something was lost, if it was. That nobody reads a pipe to its end ({@code reprise events |
   * head}) is no trouble.
   */
  Optional<IOException> trouble() {
    return trouble.filter(_ -> !isPipe());
  }

  /** By what the kernel calls it: the message of the exception depends on the user's language. */
  private static boolean isPipe() {
    try {
      String name = Files.readSymbolicLink(Path.of("/proc/self/fd/1")).toString();
      return name.startsWith("pipe:") || name.startsWith("socket:");
    } catch (IOException e) {
      return false;
    }
  }
}
