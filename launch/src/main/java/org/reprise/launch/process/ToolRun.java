package org.reprise.launch.process;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * What a small tool (a compiler wrapper asked for its flags, a launcher for its version) said. Its
 * standard output and error stand in one text.
 */
public record ToolRun(int status, String output) {
  private static final int NOT_STARTED = 127;
  private static final int TOO_SLOW = 124;

  /** Nobody needs more; a tool that looks into an untrusted file may find more to say. */
  private static final int OUTPUT_BYTES_MAX = 128 << 20;

  public boolean succeeded() {
    return status == 0;
  }

  /**
   * Runs a tool without standard input, in the user's environment. Never throws for its failure.
   */
  public static ToolRun of(
      List<String> command, Path directory, Surroundings surroundings, Duration limit) {
    // Java itself would look in the PATH it was started with.
    List<String> words = new ArrayList<>(command);
    surroundings.findExecutable(words.getFirst()).ifPresent(file -> words.set(0, file.toString()));
    ProcessBuilder builder =
        new ProcessBuilder(words)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
    builder.environment().clear();
    builder.environment().putAll(surroundings.environment());
    Process process;
    try {
      process = builder.start();
    } catch (IOException e) {
      return new ToolRun(NOT_STARTED, String.valueOf(e.getMessage()));
    }
    try {
      CompletableFuture<String> output = CompletableFuture.supplyAsync(() -> text(process));
      if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
        return new ToolRun(TOO_SLOW, "no answer within " + limit.toSeconds() + " s");
      }
      return new ToolRun(process.exitValue(), output.join());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new ToolRun(TOO_SLOW, "interrupted");
    } finally {
      process.destroyForcibly();
    }
  }

  private static String text(Process process) {
    try (InputStream output = process.getInputStream()) {
      return new String(output.readNBytes(OUTPUT_BYTES_MAX), StandardCharsets.UTF_8);
    } catch (IOException e) {
      return "";
    }
  }
}
