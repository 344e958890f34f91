package org.reprise.launch;

import java.nio.file.Path;
import java.util.Map;

/** Where a command is started from: the environment variables and the working directory. */
public record Surroundings(Map<String, String> environment, Path directory) {
  public Surroundings {
    environment = Map.copyOf(environment);
    directory = directory.toAbsolutePath().normalize();
  }

  /** Those of this process. */
  public static Surroundings current() {
    return new Surroundings(System.getenv(), Path.of(""));
  }
}
