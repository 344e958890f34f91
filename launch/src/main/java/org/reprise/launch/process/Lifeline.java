package org.reprise.launch.process;

import java.io.IOException;
import java.util.List;

/**
 * A shell that ends a command when Reprise is gone, however it went: it waits for a line, and if it
 * gets none, nobody is left to write one. A search that is killed would else leave a run that
 * nobody watches, and one that deadlocked for ever.
 */
final class Lifeline implements AutoCloseable {
  private static final String SCRIPT =
      "read -r _ || { kill -TERM \"$0\" && sleep 5 && kill -KILL \"$0\"; }";

  private final Process shell;

  private Lifeline(Process shell) {
    this.shell = shell;
  }

  static List<String> words(long pid) {
    return List.of("/bin/sh", "-c", SCRIPT, Long.toString(pid));
  }

  /** Holds a command that has been started. */
  static Lifeline of(Process command) throws IOException {
    return new Lifeline(
        new ProcessBuilder(words(command.pid()))
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start());
  }

  /** Lets go of it. */
  @Override
  public void close() {
    try (var line = shell.getOutputStream()) {
      line.write('\n');
    } catch (IOException e) {
      shell.destroy(); // It ended before us: somebody has signalled all of us.
    }
  }
}
