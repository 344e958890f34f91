package org.reprise.trace.text;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A command as it can be pasted into a shell. Control characters are written as escapes: a command
 * comes out of somebody's file, and must not reach the terminal as anything but text.
 */
public final class ShellWords {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_@%+=:,./\u0080-\uffff-]+");

  public static String join(List<String> words) {
    return words.stream().map(ShellWords::quote).collect(Collectors.joining(" "));
  }

  public static String quote(String word) {
    if (!PlainText.line(word).equals(word)) {
      return "$'" + PlainText.line(word.replace("\\", "\\\\").replace("'", "\\'")) + "'";
    }
    return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
  }

  private ShellWords() {}
}
