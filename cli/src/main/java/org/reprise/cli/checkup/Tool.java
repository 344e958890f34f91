package org.reprise.cli.checkup;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Programs of the system that Reprise looks for and asks: compilers, launchers, Pythons. */
record Tool(Path file) {
  private static final int NOT_STARTED = 127;

  /**
   * What a tool said.
   *
   * @param status its exit status, 127 if it could not be started
   * @param output standard output and error in one text
   */
  record Answer(int status, String output) {
    boolean ok() {
      return status == 0;
    }

    String firstLine() {
      return output.lines().findFirst().orElse("").strip();
    }
  }

  /** The first program of this name on PATH. */
  static Optional<Tool> find(Map<String, String> environment, String name) {
    return findAll(environment, name).stream().findFirst();
  }

  /** All programs of this name on PATH, in its order; one that has two names counts once. */
  static List<Tool> findAll(Map<String, String> environment, String name) {
    Set<Path> seen = new LinkedHashSet<>();
    List<Tool> tools = new ArrayList<>();
    for (Path directory : path(environment)) {
      Path file = directory.resolve(name);
      if (Files.isRegularFile(file) && Files.isExecutable(file) && seen.add(real(file))) {
        tools.add(new Tool(file));
      }
    }
    return tools;
  }

  /** The directories on PATH. */
  static List<Path> path(Map<String, String> environment) {
    List<Path> directories = new ArrayList<>();
    for (String entry : environment.getOrDefault("PATH", "").split(":")) {
      try {
        if (!entry.isEmpty()) {
          directories.add(Path.of(entry));
        }
      } catch (InvalidPathException e) {
        // Not a path, so nothing is in it.
      }
    }
    return directories;
  }

  static Path real(Path file) {
    try {
      return file.toRealPath();
    } catch (IOException e) {
      return file;
    }
  }

  /** Runs it without standard input and waits for its end. */
  Answer ask(Map<String, String> environment, String... arguments) {
    List<String> command = new ArrayList<>(List.of(file.toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectInput(new File("/dev/null"));
    builder.environment().clear();
    builder.environment().putAll(environment);
    try {
      Process process = builder.start();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return new Answer(process.waitFor(), output);
    } catch (IOException e) {
      return new Answer(NOT_STARTED, String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Answer(NOT_STARTED, "interrupted");
    }
  }
}
