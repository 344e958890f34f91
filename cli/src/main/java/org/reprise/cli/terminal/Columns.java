package org.reprise.cli.terminal;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The width of the terminal. The JDK does not know it, stty does. */
final class Columns {
  private static final Pattern SIZE = Pattern.compile("\\d+ ([1-9]\\d{0,4})\\s*");

  static OptionalInt of(Map<String, String> environment) {
    String own = environment.getOrDefault("COLUMNS", "");
    if (own.matches("[1-9]\\d{0,4}")) {
      return OptionalInt.of(Integer.parseInt(own));
    }
    try {
      Process stty =
          new ProcessBuilder("stty", "size")
              .redirectInput(new File("/dev/tty"))
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      String said = new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      Matcher size = SIZE.matcher(said);
      return size.matches() ? OptionalInt.of(Integer.parseInt(size.group(1))) : OptionalInt.empty();
    } catch (IOException e) {
      return OptionalInt.empty();
    }
  }

  private Columns() {}
}
