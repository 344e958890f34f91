package org.reprise.launch.process;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Where a command is started from: the environment variables, the working directory, and the
 * standard input.
 */
public record Surroundings(Map<String, String> environment, Path directory, StandardInput input) {
  public Surroundings {
    environment = Map.copyOf(environment);
    directory = directory.toAbsolutePath().normalize();
  }

  /** Those of this process. */
  public static Surroundings current() {
    return new Surroundings(System.getenv(), Path.of(""), StandardInput.current());
  }

  Surroundings withEnvironment(Map<String, String> other) {
    return new Surroundings(other, directory, input);
  }

  /** The same with a variable that has this value. */
  public Surroundings with(String name, String value) {
    Map<String, String> other = new HashMap<>(environment);
    other.put(name, value);
    return withEnvironment(other);
  }

  /** The same in another directory. */
  public Surroundings in(Path other) {
    return new Surroundings(environment, other, input);
  }

  public Surroundings withInput(StandardInput other) {
    return new Surroundings(environment, directory, other);
  }

  public String variable(String name) {
    return environment.getOrDefault(name, "");
  }

  /** The executable file a word of a command stands for, as a shell would look it up. */
  public Optional<Path> findExecutable(String word) {
    try {
      if (word.contains("/")) {
        return Optional.of(directory.resolve(word)).filter(Surroundings::isExecutable);
      }
      for (String entry : variable("PATH").split(":")) {
        Path candidate = directory.resolve(entry).resolve(word);
        if (!word.isEmpty() && isExecutable(candidate)) {
          return Optional.of(candidate);
        }
      }
    } catch (InvalidPathException e) {
      // Not a path, so not a file.
    }
    return Optional.empty();
  }

  /** The regular file a word names, executable or not. */
  Optional<Path> findFile(String word) {
    try {
      return Optional.of(directory.resolve(word)).filter(Files::isRegularFile);
    } catch (InvalidPathException e) {
      return Optional.empty();
    }
  }

  private static boolean isExecutable(Path file) {
    return Files.isRegularFile(file) && Files.isExecutable(file);
  }
}
