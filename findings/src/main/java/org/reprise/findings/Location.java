package org.reprise.findings;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * A place in the program's source, as far as it is known.
 *
 * @param function with its offset, where no line is known
 * @param module the program or library it is in
 */
public record Location(
    Optional<String> function, Optional<String> file, OptionalInt line, Optional<String> module) {
  /** A place that nobody knows. */
  public static final Location UNKNOWN =
      new Location(Optional.empty(), Optional.empty(), OptionalInt.empty(), Optional.empty());

  /** A line of a file. */
  public static Location of(String function, String file, int line) {
    return new Location(
        Optional.of(function), Optional.of(file), OptionalInt.of(line), Optional.empty());
  }

  /** {@code order_sum.c:56}, {@code libfoo.so}, or {@code an unknown place}. */
  public String where() {
    String number = line.isPresent() ? ":" + line.getAsInt() : "";
    return file.map(path -> name(path) + number)
        .or(() -> module.map(Location::name))
        .orElse("an unknown place");
  }

  /** {@code gather order_sum.c:56}. */
  public String text() {
    return function.map(name -> name + " " + where()).orElseGet(this::where);
  }

  private static String name(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }
}
