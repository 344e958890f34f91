package org.reprise.launch.mpi;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reprise.launch.process.Keeper;
import org.reprise.launch.process.PreparedCommand;
import org.reprise.launch.process.Scratch;
import org.reprise.launch.process.StandardInput;
import org.reprise.launch.process.Surroundings;
import org.reprise.launch.process.TailedFile;
import org.reprise.launch.verdict.Judge;
import org.reprise.launch.verdict.StallWatch;
import org.reprise.launch.verdict.Verdict;
import org.reprise.trace.UserError;
import org.reprise.trace.run.RecordedRun;
import org.reprise.trace.run.RunDirectory;

/**
 * A replay whose ranks a debugger holds. It runs in a session of its own, so that a Ctrl-C at the
 * prompt does not reach it, and no watch calls it stuck: held ranks get nowhere. A keeper ends it
 * and removes its files if this process is killed.
 */
public final class HeldReplay implements AutoCloseable {
  private static final Duration GRACE = Duration.ofSeconds(3);

  private final Process process;
  private final Keeper keeper;
  private final RecordedRun recorded;
  private final Scratch scratch;
  private final TailedFile output;

  private HeldReplay(
      Process process, Keeper keeper, RecordedRun recorded, Scratch scratch, TailedFile output) {
    this.process = process;
    this.keeper = keeper;
    this.recorded = recorded;
    this.scratch = scratch;
    this.output = output;
  }

  /**
   * Starts a command whose ranks a debugger holds.
   *
   * @param command is given the directory that gets the files of the ranks, and goes with the
   *     replay
   * @param surroundings where it is started from
   * @param printed gets what the ranks print, line by line
   */
  public static HeldReplay start(
      Function<Path, PreparedCommand> command,
      Surroundings surroundings,
      RecordedRun recorded,
      Consumer<String> printed) {
    Keeper keeper = Keeper.start();
    Scratch scratch = null;
    boolean done = false;
    try {
      scratch = Scratch.ofReplay(recorded, Surroundings.current());
      keeper.keep(scratch.path());
      HeldReplay replay =
          start(command.apply(scratch.path()), surroundings, recorded, scratch, keeper, printed);
      done = true;
      return replay;
    } catch (IOException e) {
      throw Scratch.noPlace(e);
    } finally {
      if (!done) {
        close(scratch);
        keeper.close();
      }
    }
  }

  private static void close(@Nullable Scratch scratch) {
    try {
      if (scratch != null) {
        scratch.close();
      }
    } catch (IOException e) {
      throw Scratch.noPlace(e);
    }
  }

  private static HeldReplay start(
      PreparedCommand command,
      Surroundings surroundings,
      RecordedRun recorded,
      Scratch scratch,
      Keeper keeper,
      Consumer<String> printed) {
    List<String> words = new ArrayList<>(List.of("setsid", "--"));
    words.addAll(command.words());
    // Not a pipe: whoever writes into one whose reader was killed dies of it, and cleans up
    // nothing.
    Path written = scratch.path().resolve("output");
    ProcessBuilder builder =
        new ProcessBuilder(words)
            .directory(surroundings.directory().toFile())
            .redirectErrorStream(true)
            .redirectOutput(written.toFile());
    builder.redirectInput(
        surroundings.input() instanceof StandardInput.Kept(Path file)
            ? file.toFile()
            : new File("/dev/null"));
    builder.environment().clear();
    builder.environment().putAll(command.environment());
    Process process = null;
    try {
      process = builder.start();
      keeper.keep(process);
      return new HeldReplay(process, keeper, recorded, scratch, TailedFile.start(written, printed));
    } catch (IOException e) {
      if (process != null) {
        process.destroyForcibly();
      }
      throw new UserError(
          "cannot start " + command.words().getFirst() + " for the debugger",
          String.valueOf(e.getMessage()),
          "check the command and PATH");
    }
  }

  /** The process of the command. */
  public long pid() {
    return process.pid();
  }

  /** Whether the command still runs. */
  public boolean isAlive() {
    return process.isAlive();
  }

  /** The command's exit status, once it has ended: 128 + n after signal n. */
  public int exitStatus() {
    return process.exitValue();
  }

  /** What a replay that has ended was. */
  public Verdict verdict() {
    RunDirectory directory = new RunDirectory(scratch.path());
    return new Judge(recorded, StallWatch.headers(directory), _ -> Optional.empty())
        .verdict(Optional.empty(), false);
  }

  /** Until all that was printed has been passed on. */
  public void drainOutput() {
    output.drain();
  }

  /** Passes on nothing more: what is said of ranks that we end is of no interest. */
  public void hush() {
    output.close();
  }

  /** Ends the command, and removes its files. */
  @Override
  public void close() {
    hush();
    List<ProcessHandle> all = new ArrayList<>(process.descendants().toList());
    // A stopped process obeys nothing but this.
    all.forEach(ProcessHandle::destroyForcibly);
    process.destroy();
    try {
      if (!process.waitFor(GRACE.toMillis(), TimeUnit.MILLISECONDS)) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        process.waitFor(GRACE.toMillis(), TimeUnit.MILLISECONDS);
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
    try {
      scratch.close();
      keeper.close();
    } catch (IOException e) {
      keeper.takeOver(); // somebody who is just being ended still writes there
    }
  }
}
