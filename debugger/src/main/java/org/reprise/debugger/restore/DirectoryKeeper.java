package org.reprise.debugger.restore;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * A process that removes directories if this one is killed: it reads their names, and goes on when
 * nobody is left to write any.
 */
final class DirectoryKeeper implements AutoCloseable {
  private static final String SCRIPT =
      """
      trap '' INT TERM HUP
      while IFS= read -r path; do set -- "$@" "$path"; done
      sleep 1
      rm -rf -- "$@"
      """;

  private final Process process;

  DirectoryKeeper() throws IOException {
    process =
        new ProcessBuilder("setsid", "--", "sh", "-c", SCRIPT, "reprise-keeper")
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
  }

  void keep(Path directory) throws IOException {
    OutputStream names = process.getOutputStream();
    names.write((directory + "\n").getBytes(StandardCharsets.UTF_8));
    names.flush();
  }

  /** They have been removed. */
  @Override
  public void close() {
    process.destroyForcibly();
  }
}
