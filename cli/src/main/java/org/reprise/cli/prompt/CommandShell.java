package org.reprise.cli.prompt;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.reprise.cli.option.Format;
import org.reprise.cli.report.DebugJson;
import org.reprise.cli.terminal.Session;
import org.reprise.debugger.Answer;
import org.reprise.debugger.Interpreter;
import org.reprise.debugger.Prompt;
import org.reprise.debugger.source.SourceError;
import org.reprise.trace.UserError;
import org.reprise.trace.file.PrivateFiles;
import org.reprise.trace.text.PlainText;

/** Has commands done: those that were given, and then those that are typed. */
public final class CommandShell {
  private final Session session;
  private final PromptOptions options;
  private Optional<Prompt> prompt = Optional.empty();

  /** With what a batch ends in which a command failed. */
  private int failure = 1;

  public CommandShell(Session session, PromptOptions options) {
    this.session = session;
    this.options = options;
  }

  /** Does the lines that were given, and lets the user go on; the exit status. */
  public int run(Interpreter commands, List<String> first) {
    boolean well = true;
    for (String line : first) {
      well &= commands.isOver() || done(commands, line);
    }
    if (options.isBatch() || commands.isOver()) {
      return well ? 0 : failure;
    }
    try (Prompt opened = Prompt.open(commands, history())) {
      prompt = Optional.of(opened);
      opened.loop(line -> done(commands, line));
      return 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      prompt = Optional.empty();
    }
  }

  /** Beside the key of the user's runs. */
  private Path history() {
    String state = session.environment().getOrDefault("XDG_STATE_HOME", "");
    Path home = Path.of(session.environment().getOrDefault("HOME", "/"));
    Path directory =
        (state.isEmpty() ? home.resolve(".local/state") : Path.of(state)).resolve("reprise");
    try {
      PrivateFiles.createDirectories(directory);
    } catch (IOException e) {
      // Then nothing is remembered.
    }
    return directory.resolve("debug-history");
  }

  /** Does one line and prints what comes of it; false if it failed. */
  private boolean done(Interpreter commands, String line) {
    if (options.isBatch() && options.format() == Format.TEXT && !line.isBlank()) {
      session.terminal().out().println("(reprise) " + line.strip());
    }
    try {
      Answer answer = commands.execute(line);
      print(line, answer, Map.of());
      return !answer.failed();
    } catch (SourceError e) {
      return failed(line, commands.failure(e), "", "");
    } catch (UserError e) {
      failure = Math.max(failure, e.exitCode());
      return failed(line, e.cause(), e.found(), e.fix());
    }
  }

  private boolean failed(String line, String cause, String found, String fix) {
    Answer answer = new Answer();
    if (options.format() == Format.TEXT) {
      answer.line(cause);
      if (!found.isEmpty()) {
        answer.line("  found: " + found.replace("\n", "\n    "));
      }
      if (!fix.isEmpty()) {
        answer.line("  fix: " + fix.replace("\n", "\n    "));
      }
    }
    print(line, answer, Map.of("error", cause, "found", found, "fix", fix));
    return false;
  }

  private void print(String line, Answer answer, Map<String, String> error) {
    PrintWriter out = session.terminal().out();
    if (options.format() == Format.TEXT) {
      answer.lines().forEach(text -> out.println(PlainText.line(text)));
    } else if (!line.isBlank()) {
      out.println(DebugJson.text(line.strip(), answer, error));
    }
    out.flush();
  }

  /** What is said without having been asked for. */
  public void say(Answer answer) {
    if (options.format() == Format.TEXT) {
      answer.lines().forEach(text -> session.terminal().out().println(PlainText.line(text)));
      session.terminal().out().flush();
    }
  }

  /** What the program prints, above what is being typed. */
  public void programPrints(String line) {
    if (prompt.isPresent()) {
      prompt.get().print(PlainText.line(line));
    } else if (options.format() == Format.TEXT) {
      session.terminal().out().println(PlainText.line(line));
      session.terminal().out().flush();
    } else {
      session.terminal().err().println(PlainText.line(line));
    }
  }
}
