package org.reprise.trace;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import tools.jackson.core.JsonGenerator;

/**
 * A place in the program's source as a person reads it, as far as it is known.
 *
 * @param function with its offset, where no line is known; empty if not even that is
 * @param file the source file, if debug information names it
 * @param module the program or library, or nothing for Java
 */
public record Location(
    Optional<String> function, Optional<String> file, OptionalInt line, Optional<String> module) {
  /** A place that nobody knows. */
  public static final Location UNKNOWN =
      new Location(Optional.empty(), Optional.empty(), OptionalInt.empty(), Optional.empty());

  /** Behind the name of a function of which no line is known. */
  private static final Pattern OFFSET = Pattern.compile("\\+0x[0-9a-f]+$");

  /** A line of a file. */
  public static Location of(String function, String file, int line) {
    return new Location(
        Optional.of(function), Optional.of(file), OptionalInt.of(line), Optional.empty());
  }

  /** {@code order_sum.c:56}, {@code libfoo.so}, or {@code an unknown place}. */
  public String where() {
    return fileAndLine().or(() -> module.map(Location::name)).orElse("an unknown place");
  }

  /** {@code order_sum.c:56}. */
  public Optional<String> fileAndLine() {
    return fileName().map(name -> name + (line.isPresent() ? ":" + line.getAsInt() : ""));
  }

  /** In one line: {@code main race.c:33}, {@code main+0x1f in race}, or {@code 0x11f3 in race}. */
  public String text() {
    if (equals(UNKNOWN)) {
      return "unknown";
    }
    return function.orElse("?")
        + fileAndLine()
            .map(where -> " " + where)
            .or(() -> module.map(path -> " in " + name(path)))
            .orElse("");
  }

  /** The function without its offset. */
  public Optional<String> functionName() {
    return function.map(name -> OFFSET.matcher(name).replaceFirst(""));
  }

  /** The file without its directory. */
  public Optional<String> fileName() {
    return file.map(Location::name);
  }

  /** For scripts: {@code function}, {@code file}, {@code line} and {@code module}, if known. */
  public void write(JsonGenerator json) {
    json.writeStartObject();
    function.ifPresent(name -> json.writeStringProperty("function", name));
    file.ifPresent(path -> json.writeStringProperty("file", path));
    line.ifPresent(number -> json.writeNumberProperty("line", number));
    module.ifPresent(path -> json.writeStringProperty("module", path));
    json.writeEndObject();
  }

  private static String name(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }
}
