package org.reprise.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A {@code reprise debug} without a prompt, whose answers are read as they come. */
final class DebugSession implements AutoCloseable {
  private static final Pattern GROUP =
      Pattern.compile("\\{\"ranks\":\\[([0-9,]+)],\"value\":\"([^\"]*)\"");
  private static final Pattern TAKEN =
      Pattern.compile("(\\d+) checkpoints taken in ([0-9.]+) s, with (\\d+) MB");

  /**
   * One answer.
   *
   * @param seconds since the one before, or since the session began
   */
  record Answer(String text, double seconds) {
    boolean isReached() {
      return text.contains("\"arrival\":\"reached\"");
    }

    /** What ranks have printed. */
    SortedMap<Integer, String> byRank() {
      SortedMap<Integer, String> values = new TreeMap<>();
      Matcher groups = GROUP.matcher(text);
      while (groups.find()) {
        for (String rank : groups.group(1).split(",")) {
          values.put(Integer.parseInt(rank), groups.group(2));
        }
      }
      return values;
    }
  }

  /** What the controlled re-execution took. */
  record Taken(int checkpoints, double seconds, long megabytes) {}

  private final Process process;
  private final Path said;

  DebugSession(
      List<String> words, List<String> commands, Map<String, String> environment, Workshop shop) {
    said = shop.fresh("said");
    Path file = shop.fresh("commands");
    List<String> all = new ArrayList<>(words);
    all.addAll(List.of("--batch", "--quiet", "--format", "json", "-x", file.toString()));
    try {
      Files.write(file, commands);
      ProcessBuilder builder =
          new ProcessBuilder(all)
              .redirectInput(Path.of("/dev/null").toFile())
              .redirectError(said.toFile());
      builder.environment().putAll(environment);
      process = builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Process process() {
    return process;
  }

  /** All answers, when the session is over. */
  List<Answer> answers() {
    List<Answer> answers = new ArrayList<>();
    try (BufferedReader lines = process.inputReader()) {
      long before = System.nanoTime();
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        long now = System.nanoTime();
        answers.add(new Answer(line, (now - before) * 1e-9));
        before = now;
      }
      process.waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return answers;
  }

  /** What it said besides. */
  String said() {
    try {
      return Files.readString(said);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Nothing if no checkpoints were taken. */
  Taken taken() {
    Matcher taken = TAKEN.matcher(said());
    return taken.find()
        ? new Taken(
            Integer.parseInt(taken.group(1)),
            Double.parseDouble(taken.group(2)),
            Long.parseLong(taken.group(3)))
        : new Taken(0, 0, 0);
  }

  @Override
  public void close() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }
}
