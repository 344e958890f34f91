package org.reprise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Output as it should be, kept in cli/src/test/golden. After a change that is meant, renew the
 * files with {@code mvn -pl cli -am test -Dreprise.renew} and read the difference before committing
 * it.
 */
public final class Golden {
  private static final Path DIRECTORY =
      Path.of(System.getProperty("reprise.root"), "cli/src/test/golden");

  public static void check(String name, String actual) throws IOException {
    Path file = DIRECTORY.resolve(name + ".txt");
    if (System.getProperty("reprise.renew") != null) {
      Files.createDirectories(DIRECTORY);
      Files.writeString(file, actual);
    }
    assertThat(actual).as("%s; renew with -Dreprise.renew", file).isEqualTo(Files.readString(file));
  }

  private Golden() {}
}
