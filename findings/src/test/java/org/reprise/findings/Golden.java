package org.reprise.findings;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Texts users see, kept in findings/src/test/golden. After a change that is meant, renew them with
 * {@code mvn test -pl findings -am -Dreprise.renew} and read the difference.
 */
final class Golden {
  static void assertMatches(String name, String text) throws IOException {
    Path file = Path.of(System.getProperty("reprise.root"), "findings/src/test/golden", name);
    if (System.getProperty("reprise.renew") != null) {
      Files.writeString(file, text);
    }
    assertThat(text).as("%s", file).isEqualTo(Files.exists(file) ? Files.readString(file) : "");
  }

  private Golden() {}
}
