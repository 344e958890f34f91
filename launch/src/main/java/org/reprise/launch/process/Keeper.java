package org.reprise.launch.process;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.reprise.trace.UserError;

/**
 * A process that clears up if this one is killed: a shell that reads of what there is, and goes on
 * when nobody is left to write any more. It is started before there is anything, so that at no
 * moment something exists that it could not know of.
 */
public final class Keeper implements AutoCloseable {
  /** A line is a directory, or the process of a launcher. */
  private static final String SCRIPT =
      """
      trap '' INT TERM HUP
      launcher=
      while IFS= read -r line; do
        case $line in
          /*) set -- "$@" "$line" ;;
          *) launcher=$line ;;
        esac
      done
      if [ -n "$launcher" ]; then
        kill -TERM "$launcher" 2>/dev/null
        n=0
        while kill -0 "$launcher" 2>/dev/null && [ $n -lt 50 ]; do n=$((n + 1)); sleep 0.1; done
        kill -KILL -- "-$launcher" 2>/dev/null
      else
        sleep 1
      fi
      n=0
      until rm -rf -- "$@" || [ $n -eq 10 ]; do n=$((n + 1)); sleep 1; done
      """;

  private final Process shell;

  private Keeper(Process shell) {
    this.shell = shell;
  }

  /** A keeper of nothing yet. */
  public static Keeper start() {
    try {
      return new Keeper(
          new ProcessBuilder("setsid", "--", "sh", "-c", SCRIPT, "reprise-keeper")
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start());
    } catch (IOException e) {
      throw new UserError(
          "cannot start setsid for the debugger",
          String.valueOf(e.getMessage()),
          "check PATH; setsid, of the package util-linux, must be there");
    }
  }

  /** To be removed. */
  public void keep(Path directory) throws IOException {
    write(directory.toAbsolutePath().toString());
  }

  /** To be asked to end, and then ended with its process group. */
  public void keep(Process launcher) throws IOException {
    write(Long.toString(launcher.pid()));
  }

  private void write(String line) throws IOException {
    OutputStream lines = shell.getOutputStream();
    lines.write((line + "\n").getBytes(StandardCharsets.UTF_8));
    lines.flush();
  }

  /** Leaves it to the keeper, which has more time than we have. */
  public void takeOver() {
    try {
      shell.getOutputStream().close();
    } catch (IOException e) {
      close();
    }
  }

  /** All of it is gone. */
  @Override
  public void close() {
    shell.destroyForcibly();
  }
}
