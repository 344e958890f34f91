package org.reprise.cli;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A command as it can be pasted into a shell. Control characters are written as escapes: a command
 * comes out of somebody's file, and must not reach the terminal as anything but text.
 */
final class ShellWords {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_@%+=:,./\u0080-\uffff-]+");
  private static final Pattern CONTROL = Pattern.compile("\\p{Cc}");

  static String join(List<String> words) {
    return words.stream().map(ShellWords::quote).collect(Collectors.joining(" "));
  }

  static String quote(String word) {
    if (CONTROL.matcher(word).find()) {
      return "$'" + escape(word.replace("\\", "\\\\").replace("'", "\\'")) + "'";
    }
    return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
  }

  /** Text with its control characters written as escapes. */
  static String escape(String text) {
    return CONTROL
        .matcher(text)
        .replaceAll(
            found -> {
              int code = found.group().charAt(0);
              return switch (code) {
                case '\n' -> "\\\\n";
                case '\t' -> "\\\\t";
                case '\r' -> "\\\\r";
                default -> "\\\\x%02x".formatted(code);
              };
            });
  }

  private ShellWords() {}
}
