package org.reprise.debugger;

import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.UserInterruptException;
import org.jline.reader.impl.completer.AggregateCompleter;
import org.jline.reader.impl.completer.ArgumentCompleter;
import org.jline.reader.impl.completer.NullCompleter;
import org.jline.reader.impl.completer.StringsCompleter;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;

/** The prompt on a terminal: lines are edited, completed and remembered. Ctrl-C ends what runs. */
public final class Prompt implements AutoCloseable {
  private final Terminal terminal;
  private final LineReader reader;
  private final Interpreter commands;

  private Prompt(Terminal terminal, LineReader reader, Interpreter commands) {
    this.terminal = terminal;
    this.reader = reader;
    this.commands = commands;
  }

  /**
   * Opens it on the terminal of this process.
   *
   * @param history the file that remembers lines
   */
  public static Prompt open(Interpreter commands, Path history) throws IOException {
    Terminal terminal = TerminalBuilder.builder().system(true).build();
    terminal.handle(Terminal.Signal.INT, _ -> commands.interrupt());
    LineReader reader =
        LineReaderBuilder.builder()
            .terminal(terminal)
            .appName("reprise")
            .completer(
                new AggregateCompleter(
                    new ArgumentCompleter(
                        new StringsCompleter(commands.words()), NullCompleter.INSTANCE),
                    new ArgumentCompleter(
                        new StringsCompleter("goto"),
                        new StringsCompleter("race", "start", "--latest"),
                        NullCompleter.INSTANCE)))
            .variable(LineReader.HISTORY_FILE, history)
            .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true)
            .build();
    return new Prompt(terminal, reader, commands);
  }

  /** Prints a line, above what is being typed. */
  public void print(String line) {
    reader.printAbove(line);
  }

  /** Reads and does one line after the other until the user leaves. */
  public void loop(Consumer<String> execute) {
    while (!commands.isOver()) {
      String line;
      try {
        line = reader.readLine("(reprise) ");
      } catch (UserInterruptException e) {
        continue;
      } catch (EndOfFileException e) {
        return;
      }
      commands.forgetInterrupt();
      execute.accept(line);
    }
  }

  @Override
  public void close() {
    try {
      terminal.close();
    } catch (IOException e) {
      // The terminal stays as it is.
    }
  }
}
