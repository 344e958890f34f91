package org.reprise.cli.demo;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.reprise.cli.checkup.SystemPackages;
import org.reprise.cli.terminal.Session;
import org.reprise.cli.terminal.Terminal;
import org.reprise.trace.UserError;
import org.reprise.trace.text.ShellWords;
import picocli.CommandLine.Help.Ansi.Style;

/**
 * Where the demo happens: a directory of its own, with runs of its own. Commands are printed, run,
 * and shown as they print.
 */
public final class DemoStage {
  /** With so many ranks the demo works. */
  static final int RANKS = 4;

  private final Session session;
  private final Path directory;

  public DemoStage(Session session, Path directory) {
    this.session = session;
    this.directory = directory;
  }

  Path directory() {
    return directory;
  }

  /**
   * What a step left.
   *
   * @param output standard output; errors went to the screen
   */
  record Result(List<String> command, int status, String output) {
    void requireSuccess(String complaint) {
      if (status != 0) {
        throw new UserError(
            complaint, "exit status " + status, "try it by hand: " + ShellWords.join(command));
      }
    }

    /** The line of the answer that the program printed. */
    String answer() {
      return output
          .lines()
          .filter(line -> line.startsWith("answer = "))
          .findFirst()
          .orElseThrow(
              () ->
                  new UserError(
                      "the program gave no answer",
                      "exit status " + status,
                      "try it by hand: " + ShellWords.join(command)));
    }
  }

  /** Prints a command, runs it, and shows its output as it comes. */
  public Result run(List<String> command) throws IOException {
    Terminal terminal = session.terminal();
    terminal.out().println("  " + terminal.out(Style.faint, "$ " + brief(command)));
    terminal.out().flush();
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectInput(new File("/dev/null"))
            .redirectErrorStream(true);
    builder.environment().clear();
    builder.environment().putAll(environment());
    Process process = builder.start();
    StringBuilder output = new StringBuilder();
    try (var lines = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        terminal.out().println("    " + line);
        terminal.out().flush();
        output.append(line).append('\n');
      }
      return new Result(command, process.waitFor(), output.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      process.destroy();
    }
  }

  /** Programs by their names alone, as the reader would type them. */
  private static String brief(List<String> command) {
    List<String> words = new ArrayList<>();
    for (String word : command) {
      words.add(word.startsWith("/") ? String.valueOf(Path.of(word).getFileName()) : word);
    }
    return ShellWords.join(words);
  }

  private Map<String, String> environment() {
    Map<String, String> environment = new HashMap<>(session.environment());
    environment.put("REPRISE_HOME", directory.resolve("runs").toString());
    if (SystemPackages.isRoot()) {
      environment.put("OMPI_ALLOW_RUN_AS_ROOT", "1");
      environment.put("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    }
    if (Runtime.getRuntime().availableProcessors() < RANKS) {
      environment.put("OMPI_MCA_rmaps_base_oversubscribe", "1");
      environment.put("OMPI_MCA_mpi_yield_when_idle", "1");
    }
    return environment;
  }

  static List<String> words(List<String> first, List<String> second) {
    List<String> words = new ArrayList<>(first);
    words.addAll(second);
    return words;
  }

  public void step(String sentence) {
    Terminal terminal = session.terminal();
    terminal.out().println();
    terminal.out().println(terminal.out(Style.bold, sentence));
    terminal.out().flush();
  }

  /** What it has come to, in green or red. */
  void conclude(boolean good, String sentence) {
    Terminal terminal = session.terminal();
    terminal.out().println();
    terminal.out().println(terminal.out(good ? Style.fg_green : Style.fg_red, sentence));
    terminal.out().flush();
  }

  public void say(String sentence) {
    session.terminal().out().println(sentence);
    session.terminal().out().flush();
  }
}
