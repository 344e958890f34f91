package org.reprise.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.reprise.trace.UserError;

/** A command with its output in files, ended with everything it started when it takes too long. */
final class Command implements AutoCloseable {
  /** What came of it. */
  record Result(int status, String out, String err, double seconds) {
    /** The output and errors of a command that must have succeeded. */
    String outOrThrow(List<String> words) {
      if (status != 0) {
        throw new UserError(
            "a measured command failed: " + String.join(" ", words),
            "status " + status + "\n" + out + err,
            "run it by hand");
      }
      return out;
    }
  }

  private final List<String> words;
  private final Path out;
  private final Path err;
  private final Process process;
  private final long begun = System.nanoTime();

  private Command(List<String> words, Path out, Path err, Process process) {
    this.words = words;
    this.out = out;
    this.err = err;
    this.process = process;
  }

  static Command start(List<String> words, Map<String, String> environment, Workshop workshop) {
    Path out = workshop.fresh("out");
    Path err = workshop.fresh("err");
    ProcessBuilder builder =
        new ProcessBuilder(words)
            .redirectInput(Path.of("/dev/null").toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    builder.environment().putAll(environment);
    try {
      return new Command(words, out, err, builder.start());
    } catch (IOException e) {
      throw new UserError(
          "cannot start " + words.getFirst(), String.valueOf(e.getMessage()), "is it installed?");
    }
  }

  static Result run(
      List<String> words, Map<String, String> environment, Duration limit, Workshop workshop) {
    try (Command command = start(words, environment, workshop)) {
      return command.finish(limit);
    }
  }

  boolean isAlive() {
    return process.isAlive();
  }

  Result finish(Duration limit) {
    try {
      if (!process.waitFor(limit.toSeconds(), TimeUnit.SECONDS)) {
        throw new UserError(
            "a command did not end within " + limit.toSeconds() + " s",
            String.join(" ", words) + "\n" + Files.readString(err),
            "is the machine too busy? run it by hand");
      }
      double seconds = (System.nanoTime() - begun) * 1e-9;
      return new Result(process.exitValue(), Files.readString(out), Files.readString(err), seconds);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    try {
      Files.deleteIfExists(out);
      Files.deleteIfExists(err);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
