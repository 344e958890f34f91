package org.reprise.launch.process;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.reprise.trace.UserError;

/**
 * A command under way. Its output goes where Reprise's own goes. While it runs, signals to Reprise
 * are passed on to it rather than obeyed; closing a job ends what is left of it.
 */
public final class Job implements AutoCloseable {
  private static final int CANNOT_START = 127;
  private static final Duration GRACE = Duration.ofSeconds(5);
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** A launcher may sit idle so long after its ranks have ended. */
  private static final Duration IDLE_MAX = Duration.ofSeconds(15);

  private final Signals signals;
  private final Process process;
  private final Optional<InputPump> pump;
  private final LauncherWatch launcher;
  private final Optional<Lifeline> lifeline;
  private final CompletableFuture<Process> started = new CompletableFuture<>();
  private final Set<ProcessHandle> outliving = ConcurrentHashMap.newKeySet();
  private volatile boolean signalled;

  private Job(ProcessBuilder builder, StandardInput input, Optional<Path> keepInput, boolean isOurs)
      throws IOException {
    signals = Signals.take(List.of("INT", "TERM", "HUP"), this::passOn);
    Process begun = null;
    try {
      begun = builder.start();
      pump =
          input instanceof StandardInput.Piped(var stream)
              ? Optional.of(InputPump.start(stream, begun.getOutputStream(), keepInput))
              : Optional.empty();
      lifeline = isOurs ? Optional.of(Lifeline.of(begun)) : Optional.empty();
      process = begun;
      launcher = LauncherWatch.start(begun, IDLE_MAX);
      started.complete(begun);
      begun = null;
    } finally {
      if (!started.isDone()) {
        signals.close();
      }
      if (begun != null) {
        begun.destroyForcibly();
      }
    }
  }

  /** Starts a command that complains where Reprise does. */
  public static Job start(
      PreparedCommand command,
      Surroundings surroundings,
      Optional<Path> keepInput,
      Optional<Path> output) {
    return start(command, surroundings, keepInput, output, Optional.empty());
  }

  /**
   * Starts a command.
   *
   * @param keepInput where a piped standard input is kept, too
   * @param output where the standard output goes, if not where Reprise's goes
   * @param errors the same for standard error; then nobody but us sees what becomes of the command,
   *     and it ends with us even if we are killed
   */
  public static Job start(
      PreparedCommand command,
      Surroundings surroundings,
      Optional<Path> keepInput,
      Optional<Path> output,
      Optional<Path> errors) {
    ProcessBuilder builder = new ProcessBuilder(words(command)).inheritIO();
    builder.directory(surroundings.directory().toFile());
    builder.environment().clear();
    builder.environment().putAll(command.environment());
    output.ifPresent(file -> builder.redirectOutput(file.toFile()));
    errors.ifPresent(file -> builder.redirectError(file.toFile()));
    switch (surroundings.input()) {
      case StandardInput.Inherited() -> {}
      case StandardInput.Piped _ -> builder.redirectInput(ProcessBuilder.Redirect.PIPE);
      case StandardInput.Kept(Path file) -> builder.redirectInput(file.toFile());
    }
    try {
      return new Job(builder, surroundings.input(), keepInput, errors.isPresent());
    } catch (IOException e) {
      throw new UserError(
          "cannot start " + command.words().getFirst(),
          String.valueOf(e.getMessage()),
          "check the command and PATH",
          CANNOT_START);
    }
  }

  /**
   * Java looks a command up in the PATH it was started with, and a replay may have another. env
   * looks in the one it is given, and then becomes the command.
   */
  private static List<String> words(PreparedCommand command) {
    String path = command.environment().getOrDefault("PATH", "");
    boolean samePath = path.equals(System.getenv().getOrDefault("PATH", ""));
    File env = new File("/usr/bin/env");
    if (samePath || command.words().getFirst().contains("/") || !env.canExecute()) {
      return command.words();
    }
    List<String> words = new ArrayList<>(List.of(env.getPath()));
    words.addAll(command.words());
    return words;
  }

  /**
   * The first signal is the command's. A launcher may hang in its own end, so somebody who insists,
   * or has waited long enough, gets an end without it.
   */
  private void passOn(String signal) {
    var _ = started.thenAccept(running -> running.descendants().forEach(outliving::add));
    if (signalled) {
      endInBackground(Duration.ZERO);
      return;
    }
    signalled = true;
    endInBackground(PATIENCE);
    // Ctrl-C reaches the command without us, from the terminal. A second one would make mpirun
    // kill its ranks instead of ending them.
    if (!signal.equals("INT") || !isInForeground()) {
      // The signal may come before the command has quite started.
      var _ = started.thenAccept(running -> send(running, signal));
    }
  }

  private void endInBackground(Duration delay) {
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                Process running = started.join();
                if (!running.waitFor(delay)) {
                  end();
                }
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
  }

  private static void send(Process running, String signal) {
    if (signal.equals("TERM")) {
      running.destroy();
      return;
    }
    try {
      new ProcessBuilder("kill", "-" + signal, Long.toString(running.pid())).start();
    } catch (IOException e) {
      running.destroy();
    }
  }

  /** Whether a terminal sends its Ctrl-C to our process group, the command included. */
  private static boolean isInForeground() {
    try {
      String stat = Files.readString(Path.of("/proc/self/stat"));
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
      boolean hasTerminal = !fields[4].equals("0");
      return hasTerminal && fields[2].equals(fields[5]);
    } catch (IOException | IndexOutOfBoundsException e) {
      return true;
    }
  }

  /**
   * A launcher that is killed leaves its ranks, which end a moment later by themselves and may
   * still write until then. So whoever was there when a signal came is waited for, and killed if
   * need be.
   */
  private void awaitOutliving() throws InterruptedException {
    long end = System.nanoTime() + GRACE.toNanos();
    for (ProcessHandle left : outliving) {
      try {
        left.onExit().get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
      } catch (TimeoutException late) {
        left.destroyForcibly();
      } catch (ExecutionException gone) {
        // Nothing is known of it any more.
      }
    }
  }

  /** Waits for the command; its exit status, 128 + n after signal n. */
  public int waitFor() {
    while (true) {
      try {
        int status = process.waitFor();
        awaitOutliving();
        pump.ifPresent(InputPump::close);
        return launcher.status().orElse(status);
      } catch (InterruptedException e) {
        signalled = true;
        process.destroy();
      }
    }
  }

  /** Why the standard input could not be kept as a whole, if so. */
  public Optional<String> inputLost() {
    return pump.flatMap(InputPump::lost);
  }

  /** What the user should know of how the command ended, if anything. */
  public Optional<String> remark() {
    return launcher.status().isPresent()
        ? Optional.of(
            "the launcher did not end after its ranks had, and was ended; the status is that of"
                + " the ranks")
        : Optional.empty();
  }

  /** Whether a signal to Reprise, rather than the command itself, brought the end about. */
  public boolean wasSignalled() {
    return signalled;
  }

  /**
   * Ends the command and everything it started on this machine: asks first, and kills what is left
   * five seconds later.
   */
  public void end() {
    List<ProcessHandle> all = new ArrayList<>(process.descendants().toList());
    if (!process.isAlive() && all.isEmpty()) {
      return;
    }
    outliving.addAll(all);
    process.destroy();
    try {
      process.waitFor(GRACE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    all.addAll(process.descendants().toList());
    process.destroyForcibly();
    all.forEach(ProcessHandle::destroyForcibly);
  }

  @Override
  public void close() {
    try {
      if (process.isAlive()) {
        end();
      }
      pump.ifPresent(InputPump::close);
    } finally {
      lifeline.ifPresent(Lifeline::close);
      signals.close();
    }
  }
}
