package org.reprise.cli;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.reprise.trace.PrivateFiles;
import org.reprise.trace.UserError;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi.Style;
import picocli.CommandLine.Option;

/**
 * {@code reprise demo}: the point of Reprise in a minute. What it records and replays it does by
 * the very commands it prints, so what it shows is what a user will see.
 */
@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    description = {
      "Shows the point of Reprise in a minute.",
      "A program whose answer differs from run to run is recorded once and gives that one answer in "
          + "every replay. Exit status 0 means that every replay gave the recorded answer."
    },
    footerHeading = "%nExample:%n",
    footer = "  reprise demo")
final class Demo implements Callable<Integer> {
  private static final int RANKS = 4;
  private static final int PLAIN_RUNS = 4;
  private static final int PLAIN_RUNS_MAX = 20;
  private static final int REPLAYS = 4;
  private static final int FAILED = 1;

  private final Session session;

  @Option(names = "--keep", description = "Keep the program and its run, to look at them later.")
  private boolean keep;

  Demo(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws IOException {
    Path root = root();
    MpiTools mpi = mpi(root);
    Path directory = Files.createTempDirectory("reprise-demo-");
    // Not in a finally: who presses Ctrl-C leaves nothing behind either.
    Runtime.getRuntime().addShutdownHook(new Thread(() -> cleanUp(directory), "demo clean-up"));
    return show(root, mpi, directory);
  }

  private void cleanUp(Path directory) {
    if (keep) {
      return;
    }
    try {
      PrivateFiles.removeTree(directory);
    } catch (IOException e) {
      session.terminal().tell("cannot remove " + directory + ": " + e.getMessage());
    }
  }

  private int show(Path root, MpiTools mpi, Path directory) throws IOException {
    Path source = root.resolve("examples/c/order_sum.c");
    say("order_sum adds up numbers from 3 workers in the order in which they arrive. The sum has");
    say("rounding errors, so another order gives another answer. First it is compiled.");
    Path program = directory.resolve("order_sum");
    run(
            directory,
            List.of(
                mpi.mpicc().toString(), "-O1", "-g", "-o", program.toString(), source.toString()))
        .requireSuccess("order_sum does not compile");

    List<String> command =
        List.of(mpi.mpirun().orElseThrow().toString(), "-n", String.valueOf(RANKS), "./order_sum");
    step("Plain runs: each of them may add up in another order.");
    Set<String> plain = new LinkedHashSet<>();
    for (int i = 0; i < PLAIN_RUNS || (plain.size() == 1 && i < PLAIN_RUNS_MAX); i++) {
      plain.add(answer(run(directory, command)));
    }
    say(Words.count(plain.size(), "different answer") + ".");

    String reprise = root.resolve("reprise").toString();
    step("One run is recorded: which message each receive took, nothing else.");
    String recorded =
        answer(run(directory, words(List.of(reprise, "record", "--name", "demo"), command)));

    step("It is replayed " + REPLAYS + " times, with random delays that would change the order.");
    int same = 0;
    for (int seed = 1; seed <= REPLAYS; seed++) {
      Result replay =
          run(directory, List.of(reprise, "replay", "demo", "--jitter", String.valueOf(seed)));
      same += replay.status == 0 && answer(replay).equals(recorded) ? 1 : 0;
    }
    return finish(same, plain.size(), recorded, directory);
  }

  private int finish(int same, int answers, String recorded, Path directory) {
    Terminal terminal = session.terminal();
    terminal.out().println();
    if (same < REPLAYS) {
      terminal
          .out()
          .println(
              terminal.out(
                  Style.fg_red,
                  "Only "
                      + same
                      + " of "
                      + REPLAYS
                      + " replays gave the recorded "
                      + recorded
                      + "."));
      return FAILED;
    }
    terminal
        .out()
        .println(
            terminal.out(
                Style.fg_green,
                "All "
                    + REPLAYS
                    + " replays gave the recorded "
                    + recorded
                    + "; plain runs gave "
                    + Words.count(answers, "answer")
                    + "."));
    if (keep) {
      say("The run is kept: REPRISE_HOME=" + directory.resolve("runs") + " reprise show demo");
    }
    say("Now your own program: reprise record mpirun -n 4 ./program, then reprise replay");
    return 0;
  }

  private static Path root() {
    String root = System.getProperty("reprise.root", "");
    if (root.isEmpty() || !Files.exists(Path.of(root, "examples/c/order_sum.c"))) {
      throw new UserError(
          "the demo needs the examples of a checkout",
          root.isEmpty() ? "not started by ./reprise" : "no examples/c/order_sum.c in " + root,
          "start it as ./reprise demo in the checkout");
    }
    return Path.of(root);
  }

  private MpiTools mpi(Path root) throws IOException {
    Optional<MpiTools> found = complete();
    if (found.isPresent()) {
      return found.get();
    }
    if (SystemPackages.isRoot()) {
      step("No MPI is installed; installing it.");
      run(root, List.of(root.resolve("scripts/packages").toString(), "install"))
          .requireSuccess("the packages could not be installed");
      found = complete();
    }
    return found.orElseThrow(
        () ->
            new UserError(
                "the demo needs an MPI",
                "no mpicc with its mpirun on PATH",
                SystemPackages.install("libopenmpi-dev", "openmpi-bin", "gcc")));
  }

  private Optional<MpiTools> complete() {
    return MpiTools.findAll(session.environment()).stream()
        .filter(mpi -> mpi.mpirun().isPresent())
        .findFirst();
  }

  /**
   * What a step left.
   *
   * @param output standard output; errors went to the screen
   */
  private record Result(List<String> command, int status, String output) {
    void requireSuccess(String complaint) {
      if (status != 0) {
        throw new UserError(
            complaint, "exit status " + status, "try it by hand: " + ShellWords.join(command));
      }
    }
  }

  /** Prints a command, runs it, and shows its output as it comes. */
  private Result run(Path directory, List<String> command) throws IOException {
    Terminal terminal = session.terminal();
    terminal.out().println("  " + terminal.out(Style.faint, "$ " + brief(command)));
    terminal.out().flush();
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectInput(new File("/dev/null"))
            .redirectErrorStream(true);
    builder.environment().clear();
    builder.environment().putAll(environment(directory));
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

  private Map<String, String> environment(Path directory) {
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

  private static List<String> words(List<String> first, List<String> second) {
    List<String> words = new ArrayList<>(first);
    words.addAll(second);
    return words;
  }

  /** The line the program printed. */
  private static String answer(Result result) {
    return result
        .output
        .lines()
        .filter(line -> line.startsWith("answer = "))
        .findFirst()
        .orElseThrow(
            () ->
                new UserError(
                    "order_sum gave no answer",
                    "exit status " + result.status,
                    "try it by hand: " + ShellWords.join(result.command)));
  }

  private void step(String sentence) {
    Terminal terminal = session.terminal();
    terminal.out().println();
    terminal.out().println(terminal.out(Style.bold, sentence));
    terminal.out().flush();
  }

  private void say(String sentence) {
    session.terminal().out().println(sentence);
    session.terminal().out().flush();
  }
}
