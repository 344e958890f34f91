package org.reprise.debugger.jdi;

import java.util.Locale;
import org.reprise.debugger.source.SourceError;

/** Numbers, characters and strings as they are written in Java. */
final class Literals {
  static Object number(String word) {
    String text = word.replace("_", "").toLowerCase(Locale.ROOT);
    try {
      if (text.startsWith("0x") || text.startsWith("0b")) {
        int radix = text.startsWith("0x") ? 16 : 2;
        return text.endsWith("l")
            ? (Object) Long.parseUnsignedLong(text.substring(2, text.length() - 1), radix)
            : (Object) Integer.parseUnsignedInt(text.substring(2), radix);
      }
      if (text.endsWith("l")) {
        return Long.parseLong(text.substring(0, text.length() - 1));
      }
      if (text.endsWith("f")) {
        return Float.parseFloat(text);
      }
      if (text.endsWith("d") || text.contains(".") || text.contains("e")) {
        return Double.parseDouble(text);
      }
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new SourceError("'" + word + "' is no number of Java");
    }
  }

  /** A string, or a character. */
  static Object text(String word) {
    String inner = word.substring(1, word.length() - 1);
    String text;
    try {
      text = inner.translateEscapes();
    } catch (IllegalArgumentException e) {
      throw new SourceError(word + " has an escape that Java does not know");
    }
    if (word.charAt(0) == '"') {
      return text;
    }
    if (text.length() != 1) {
      throw new SourceError(word + " is not one character");
    }
    return text.charAt(0);
  }

  private Literals() {}
}
