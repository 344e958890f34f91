package org.reprise.cli;

import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.reprise.cli.terminal.Session;
import org.reprise.cli.terminal.Terminal;
import org.reprise.trace.run.RunStore;
import picocli.CommandLine;

/** A user at a shell with runs of their own: types commands and sees what they print. */
public final class Shell {
  private final Path home;
  private StringWriter out = new StringWriter();
  private StringWriter err = new StringWriter();
  private boolean coloured;
  private OptionalInt columns = OptionalInt.empty();
  private Optional<String> answer = Optional.empty();
  private String path = "";

  public Shell(Path home) {
    this.home = home;
  }

  /** The same user at a terminal that is so wide. */
  Shell onTerminal(int wide, boolean colours) {
    columns = OptionalInt.of(wide);
    coloured = colours;
    return this;
  }

  /** The same user where commands are looked for in these directories. */
  Shell withPath(String directories) {
    path = directories;
    return this;
  }

  /** What the user answers when asked. */
  Shell answering(String line) {
    answer = Optional.of(line);
    return this;
  }

  public RunStore store() {
    return new RunStore(home);
  }

  /** Runs one command; its output is there until the next one. */
  public int type(String... words) {
    return type(commandLine(), words);
  }

  int type(CommandLine commandLine, String... words) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    return Reprise.run(terminal(), commandLine, words);
  }

  Map<String, String> environment() {
    return Map.of(
        "REPRISE_HOME",
        home.toString(),
        "XDG_STATE_HOME",
        home.resolve(".state").toAbsolutePath().toString(),
        "XDG_CONFIG_HOME",
        home.resolve(".config").toAbsolutePath().toString(),
        "PATH",
        path);
  }

  CommandLine commandLine() {
    return Reprise.commandLine(session());
  }

  public Session session() {
    return new Session(terminal(), environment(), home, ZoneOffset.UTC);
  }

  private Terminal terminal() {
    return new Terminal(
        new PrintWriter(out, true),
        new PrintWriter(err, true),
        coloured,
        coloured,
        () -> columns,
        new Printed(out),
        new Printed(err),
        columns.isPresent(),
        columns.isPresent(),
        Optional::empty,
        () -> answer);
  }

  /** What a program prints in bytes, as the text that the user sees. */
  private static final class Printed extends OutputStream {
    private final StringWriter text;

    Printed(StringWriter text) {
      this.text = text;
    }

    @Override
    public void write(int oneByte) {
      text.write(oneByte);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
      text.write(new String(bytes, offset, length, StandardCharsets.UTF_8));
    }
  }

  /** Standard output, with the directory of runs, which differs from test to test, as HOME. */
  public String out() {
    return out.toString().replace(home.toString(), "HOME");
  }

  public String err() {
    return err.toString().replace(home.toString(), "HOME");
  }
}
