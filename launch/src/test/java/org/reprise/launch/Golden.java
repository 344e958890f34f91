package org.reprise.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Texts users see, kept in launch/src/test/golden. After a change that is meant, renew them with
 * {@code mvn test -pl launch -am -Dreprise.golden=renew} and read the difference.
 */
public final class Golden {
  public static void assertMatches(String name, String text) throws IOException {
    Path file = Path.of(System.getProperty("reprise.root"), "launch/src/test/golden", name);
    if ("renew".equals(System.getProperty("reprise.golden"))) {
      Files.writeString(file, text);
    }
    assertThat(text).as("%s", file).isEqualTo(Files.exists(file) ? Files.readString(file) : "");
  }

  private Golden() {}
}
