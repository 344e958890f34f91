package org.reprise.findings;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/**
 * A place in the program's source, as far as it is known.
 *
 * @param function with its offset, where no line is known
 * @param module the program or library it is in
 */
public record Location(
    Optional<String> function, Optional<String> file, OptionalInt line, Optional<String> module) {
  /** Behind the name of a function of which no line is known. */
  private static final Pattern OFFSET = Pattern.compile("\\+0x[0-9a-f]+$");

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

  /** The function without its offset. */
  Optional<String> functionName() {
    return function.map(name -> OFFSET.matcher(name).replaceFirst(""));
  }

  /** The last part of a path. */
  static String name(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }
}
