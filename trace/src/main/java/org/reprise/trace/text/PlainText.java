package org.reprise.trace.text;

/**
 * Text from a run as a terminal may show it. A run comes from anywhere, so its strings can hold
 * escape sequences, line ends that fake a line of ours, or marks that reverse the direction of
 * writing. Such characters are written as escapes, {@code \u001b}, which JSON reads as the
 * character itself.
 */
public final class PlainText {
  /** Text that is to stay in one line. */
  public static String line(String text) {
    return of(text, false);
  }

  /** Text of several lines: line ends and tabs stay. */
  public static String lines(String text) {
    return of(text, true);
  }

  private static String of(String text, boolean keepLayout) {
    int at = 0;
    while (at < text.length() && isPlain(text.codePointAt(at), keepLayout)) {
      at += Character.charCount(text.codePointAt(at));
    }
    if (at == text.length()) {
      return text;
    }
    StringBuilder plain = new StringBuilder(text.length() + 16).append(text, 0, at);
    text.codePoints()
        .skip(text.codePointCount(0, at))
        .forEach(
            point -> {
              if (isPlain(point, keepLayout)) {
                plain.appendCodePoint(point);
              } else {
                escape(plain, point);
              }
            });
    return plain.toString();
  }

  private static boolean isPlain(int point, boolean keepLayout) {
    return switch (Character.getType(point)) {
      case Character.CONTROL -> keepLayout && (point == '\n' || point == '\t');
      case Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE ->
          false;
      default -> true;
    };
  }

  private static void escape(StringBuilder plain, int point) {
    switch (point) {
      case '\n' -> plain.append("\\n");
      case '\t' -> plain.append("\\t");
      case '\r' -> plain.append("\\r");
      default -> {
        for (char unit : Character.toChars(point)) {
          plain.append("\\u%04x".formatted((int) unit));
        }
      }
    }
  }

  private PlainText() {}
}
