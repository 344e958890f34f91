package org.reprise.launch;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * A call site as a person reads it.
 *
 * @param function with its offset, where no line is known; empty if not even that is
 * @param file the source file, if debug information names it
 * @param module the program or library, or nothing for Java
 */
public record Place(
    Optional<String> function, Optional<String> file, OptionalInt line, Optional<String> module) {
  /** A call that nobody knows where it was made. */
  static final Place UNKNOWN =
      new Place(Optional.empty(), Optional.empty(), OptionalInt.empty(), Optional.empty());

  /** In one line: {@code main race.c:33}, {@code main+0x1f in race}, or {@code 0x11f3 in race}. */
  public String text() {
    if (equals(UNKNOWN)) {
      return "unknown";
    }
    StringBuilder text = new StringBuilder(function.orElse("?"));
    if (file.isPresent()) {
      text.append(' ').append(shortName(file.get()));
      line.ifPresent(number -> text.append(':').append(number));
    } else {
      module.ifPresent(path -> text.append(" in ").append(shortName(path)));
    }
    return text.toString();
  }

  private static String shortName(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }
}
