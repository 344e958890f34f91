package org.reprise.conformance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.opentest4j.TestAbortedException;
import org.reprise.trace.file.PrivateFiles;
import org.reprise.trace.run.RecordedRun;
import org.reprise.trace.run.RunStore;

/**
 * The place of one test: a directory with its runs, and the commands it gives. When it fails, its
 * message ends with the commands that show it again. When it ends, no process and no file of it is
 * left; a test whose processes outlive its commands has failed.
 */
final class Workbench
    implements BeforeEachCallback, AfterEachCallback, TestExecutionExceptionHandler {
  /** No claim: only the end of a command that would otherwise never end. */
  private static final Duration COMMAND_LIMIT = Duration.ofMinutes(8);

  private static final Duration PROCESSES_END = Duration.ofMinutes(1);
  private static final String MARK = "CONFORMANCE_MARK";
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_@%+=:,./-]+");

  private final List<String> history = new ArrayList<>();
  private final Map<String, String> variables = new LinkedHashMap<>();
  private final Set<Mpi> used = new LinkedHashSet<>();
  private @Nullable Workshop workshop;
  private @Nullable Path directory;
  private @Nullable Processes processes;

  @Override
  public void beforeEach(ExtensionContext context) throws IOException {
    Workshop shared =
        context
            .getRoot()
            .getStore(ExtensionContext.Namespace.create(Workshop.class))
            .computeIfAbsent(Workshop.class, _ -> open(), Workshop.class);
    workshop = shared;
    Path own = Files.createTempDirectory(shared.directory(), "test-");
    directory = own;
    processes = new Processes(MARK, UUID.randomUUID().toString());
    set("REPRISE_HOME", own.resolve("runs").toString());
    // Containers run as root, and have fewer processors than the tests have ranks.
    set("OMPI_ALLOW_RUN_AS_ROOT", "1");
    set("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    set("OMPI_MCA_rmaps_base_oversubscribe", "1");
    set("OMPI_MCA_mpi_yield_when_idle", "1");
  }

  private static Workshop open() {
    try {
      return new Workshop();
    } catch (IOException e) {
      throw new AssertionError("no temporary directory", e);
    }
  }

  @Override
  public void handleTestExecutionException(ExtensionContext context, Throwable failure)
      throws Throwable {
    if (failure instanceof TestAbortedException) {
      throw failure;
    }
    throw new AssertionError(failure.getMessage() + "\n\n" + howToSeeItAgain(), failure);
  }

  private String howToSeeItAgain() {
    List<String> lines = new ArrayList<>(List.of("To see it again:", "cd " + Workshop.root()));
    lines.add("mkdir -p " + directory());
    variables.forEach((name, value) -> lines.add("export " + name + "=" + quote(value)));
    used.forEach(mpi -> shop().commands(mpi).forEach(command -> lines.add(shell(command))));
    lines.addAll(history);
    return String.join("\n  ", lines);
  }

  @Override
  public void afterEach(ExtensionContext context) throws Exception {
    List<ProcessHandle> left =
        context.getExecutionException().isPresent()
            ? List.of()
            : processes().awaitEnd(PROCESSES_END);
    List<String> commands =
        left.stream().map(process -> process.info().commandLine().orElse("?")).toList();
    processes().kill();
    PrivateFiles.removeTree(directory());
    if (!left.isEmpty()) {
      throw new AssertionError(
          "processes are left behind: " + commands + "\n\n" + howToSeeItAgain());
    }
  }

  private Workshop shop() {
    return there(workshop);
  }

  /** A directory of this test's own. */
  Path directory() {
    return there(directory);
  }

  /** Everything that this test's commands started. */
  Processes processes() {
    return there(processes);
  }

  private static <T> T there(@Nullable T thing) {
    if (thing == null) {
      throw new IllegalStateException("no test is running");
    }
    return thing;
  }

  /** An example, built for this MPI. */
  Path example(Mpi mpi, String name) {
    used.add(mpi);
    return shop().examples(mpi).resolve(name);
  }

  /** A program in {@code src/test/c}, compiled for this MPI. */
  Path compiled(Mpi mpi, String name) {
    return compiled(mpi, mpi.mpicc(), "c/" + name + ".c", List.of());
  }

  /** A program in {@code src/test/fortran}, compiled for this MPI to be looked into. */
  Path compiledFortran(Mpi mpi, String name) {
    String compiler = mpi.mpicc().replace("mpicc", "mpifort");
    List<String> flags = List.of("-O0", "-fno-range-check");
    return compiled(mpi, compiler, "fortran/" + name + ".f90", flags);
  }

  private Path compiled(Mpi mpi, String compiler, String file, List<String> flags) {
    used.add(mpi);
    shop().examples(mpi); // and what every program is linked with
    Path source = Workshop.root().resolve("conformance/src/test").resolve(file);
    String name = source.getFileName().toString();
    Path program = directory().resolve(name.substring(0, name.lastIndexOf('.')));
    List<String> words = new ArrayList<>(List.of(compiler));
    words.addAll(shop().compilerFlags(mpi));
    words.addAll(flags);
    words.addAll(List.of("-o", program.toString(), source.toString()));
    Ran compiled = run(words);
    if (compiled.status() != 0) {
      throw new AssertionError(compiled.toString());
    }
    return program;
  }

  /** Sets an environment variable for all commands from here on. */
  void set(String variable, String value) {
    variables.put(variable, value);
    if (!history.isEmpty()) {
      history.add("export " + variable + "=" + quote(value));
    }
  }

  /** The run that was recorded last. */
  RecordedRun latest() {
    return RecordedRun.open(store().latest());
  }

  RunStore store() {
    return new RunStore(Path.of(there(variables.get("REPRISE_HOME"))));
  }

  Ran record(List<String> job, String... options) {
    return start(words("record", List.of(options), job)).end();
  }

  /** Replays the run that was recorded last. */
  Ran replay(String... options) {
    return start(words("replay", List.of(options), List.of())).end();
  }

  /** Replays the last run with another command. */
  Ran replayWith(List<String> job, String... options) {
    List<String> instead = new ArrayList<>(List.of("--"));
    instead.addAll(job);
    return start(words("replay", List.of(options), instead)).end();
  }

  /** Any other command of Reprise. */
  Ran reprise(String... words) {
    return start(List.of(words)).end();
  }

  /** Runs a job with random delays, without recording. */
  Ran shake(List<String> job, long seed) {
    return start(words("run", List.of("--jitter", Long.toString(seed)), job)).end();
  }

  static List<String> words(String command, List<String> options, List<String> job) {
    List<String> words = new ArrayList<>(List.of(command));
    words.addAll(options);
    words.addAll(job);
    return words;
  }

  /** Runs a command that is not Reprise's. */
  Ran run(List<String> command) {
    return new Running(command, shell(command), Optional.empty()).end();
  }

  /** Starts a command of Reprise. */
  Running start(List<String> words) {
    return new Running(java(words), "./reprise " + shell(words), Optional.empty());
  }

  /** Starts a command of Reprise with this as its standard input, through a pipe. */
  Running start(List<String> words, String input) {
    String shown = "printf %s " + quote(input) + " | ./reprise " + shell(words);
    return new Running(java(words), shown, Optional.of(input));
  }

  /** What {@code ./reprise} would start, on the class path of the tests. */
  List<String> java(List<String> words) {
    return shop().java(words);
  }

  static String shell(List<String> words) {
    return words.stream().map(Workbench::quote).collect(Collectors.joining(" "));
  }

  private static String quote(String word) {
    return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
  }

  /** A command under way. */
  final class Running {
    private final String shown;
    private final Process process;
    private final Path out;
    private final Path err;

    private Running(List<String> words, String shown, Optional<String> input) {
      this.shown = shown;
      history.add(shown);
      out = directory().resolve("out-" + history.size());
      err = directory().resolve("err-" + history.size());
      ProcessBuilder builder =
          new ProcessBuilder(words)
              .directory(directory().toFile())
              .redirectOutput(out.toFile())
              .redirectError(err.toFile());
      if (input.isEmpty()) {
        builder.redirectInput(Path.of("/dev/null").toFile());
      }
      builder.environment().putAll(variables);
      builder.environment().put(MARK, processes().mark());
      builder.environment().put("XDG_CACHE_HOME", shop().directory().resolve("cache").toString());
      builder.environment().put("XDG_STATE_HOME", shop().directory().resolve("state").toString());
      // The MPIs keep sockets and segments there, and a killed launcher leaves them.
      builder.environment().put("TMPDIR", directory().toString());
      try {
        process = builder.start();
        if (input.isPresent()) {
          try (var pipe = process.outputWriter()) {
            pipe.write(input.get());
          }
        }
      } catch (IOException e) {
        throw new AssertionError("cannot start " + shown, e);
      }
    }

    long pid() {
      return process.pid();
    }

    boolean isAlive() {
      return process.isAlive();
    }

    /** Waits until it has written so on its standard error. */
    void awaitSaid(String words) throws IOException, InterruptedException {
      long start = System.nanoTime();
      while (!Files.readString(err).contains(words)) {
        if (!isAlive() || System.nanoTime() - start > COMMAND_LIMIT.toNanos()) {
          throw new AssertionError(shown + " has not said \"" + words + "\": " + end());
        }
        Thread.sleep(20);
      }
    }

    /** Waits for it. */
    Ran end() {
      try {
        boolean ended = process.waitFor(COMMAND_LIMIT.toSeconds(), TimeUnit.SECONDS);
        if (!ended) {
          processes().kill();
        }
        Ran ran = new Ran(shown, process.waitFor(), Files.readString(out), Files.readString(err));
        if (!ended) {
          throw new AssertionError("did not end within " + COMMAND_LIMIT + ": " + ran);
        }
        return ran;
      } catch (IOException e) {
        throw new AssertionError("no output of " + shown, e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new AssertionError("interrupted", e);
      }
    }
  }
}
