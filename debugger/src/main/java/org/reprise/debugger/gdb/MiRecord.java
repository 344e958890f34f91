package org.reprise.debugger.gdb;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One line of gdb's machine interface, taken apart: results ({@code ^}), what happened ({@code *},
 * {@code =}) with their values, or text for a console ({@code ~}). Values are strings, maps and
 * lists.
 *
 * @param token the number of the command that it answers; -1 if it answers none
 * @param type the character that begins it, or {@code (} for the prompt
 * @param word what it is: done, error, stopped; or the text
 */
public record MiRecord(int token, char type, String word, Map<String, Object> values) {
  /** Text within text; empty if it is not there. */
  public String text(String name) {
    return values.get(name) instanceof String text ? text : "";
  }

  /** The map of this name; empty if it is not there. */
  public Map<String, Object> map(String name) {
    return map(values.get(name));
  }

  /** A value as a map; empty if it is none. */
  @SuppressWarnings("unchecked")
  public static Map<String, Object> map(@Nullable Object value) {
    return value instanceof Map<?, ?> map ? (Map<String, Object>) map : Map.of();
  }

  /** The list of this name; empty if it is not there. */
  public List<?> list(String name) {
    return values.get(name) instanceof List<?> list ? list : List.of();
  }

  /** Takes a line apart; empty for one that is none of gdb's. */
  public static Optional<MiRecord> parse(String line) {
    if (line.startsWith("(gdb)")) {
      return Optional.of(new MiRecord(-1, '(', "", Map.of()));
    }
    return new Parser(line).record();
  }

  /** Reads one line from its beginning; what is cut off ends a value early. */
  private static final class Parser {
    private final String line;
    private int at;

    Parser(String line) {
      this.line = line;
    }

    Optional<MiRecord> record() {
      int digits = 0;
      while (digits < line.length() && digits < 9 && Character.isDigit(line.charAt(digits))) {
        digits++;
      }
      int token = digits == 0 ? -1 : Integer.parseInt(line, 0, digits, 10);
      at = digits;
      if (at >= line.length() || "^*=+~@&".indexOf(line.charAt(at)) < 0) {
        return Optional.empty();
      }
      char type = line.charAt(at++);
      if (peek() == '"') {
        return Optional.of(new MiRecord(token, type, string(), Map.of()));
      }
      int begin = at;
      while (at < line.length() && line.charAt(at) != ',') {
        at++;
      }
      String word = line.substring(begin, at);
      Map<String, Object> values = new LinkedHashMap<>();
      while (peek() == ',') {
        at++;
        pair(values);
      }
      return Optional.of(new MiRecord(token, type, word, values));
    }

    private char peek() {
      return at < line.length() ? line.charAt(at) : '\0';
    }

    /** {@code name=value}; of several with one name the last stays. */
    private void pair(Map<String, Object> into) {
      int begin = at;
      while (at < line.length() && line.charAt(at) != '=' && line.charAt(at) != ',') {
        at++;
      }
      String name = line.substring(begin, at);
      if (peek() == '=') {
        at++;
        into.put(name, value());
      }
    }

    private Object value() {
      return switch (peek()) {
        case '"' -> string();
        case '{' -> map();
        case '[' -> list();
        default -> "";
      };
    }

    private Map<String, Object> map() {
      Map<String, Object> values = new LinkedHashMap<>();
      at++;
      while (peek() != '}' && peek() != '\0') {
        int before = at;
        pair(values);
        if (peek() == ',' || at == before) {
          at++;
        }
      }
      at++;
      return values;
    }

    /** Of values, or of {@code name=value}, whose names are dropped. */
    private List<Object> list() {
      List<Object> values = new ArrayList<>();
      at++;
      while (peek() != ']' && peek() != '\0') {
        int before = at;
        if (peek() == '"' || peek() == '{' || peek() == '[') {
          values.add(value());
        } else {
          Map<String, Object> named = new LinkedHashMap<>();
          pair(named);
          values.addAll(named.values());
        }
        if (peek() == ',' || at == before) {
          at++;
        }
      }
      at++;
      return values;
    }

    private String string() {
      StringBuilder text = new StringBuilder();
      at++;
      while (at < line.length() && line.charAt(at) != '"') {
        char c = line.charAt(at++);
        if (c == '\\' && at < line.length()) {
          c = escaped(line.charAt(at++));
        }
        text.append(c);
      }
      at++;
      return text.toString();
    }

    private char escaped(char c) {
      return switch (c) {
        case 'n' -> '\n';
        case 't' -> '\t';
        case 'r' -> '\r';
        case '0', '1', '2', '3' -> octal(c);
        default -> c;
      };
    }

    private char octal(char first) {
      if (at + 2 > line.length()) {
        return first;
      }
      try {
        char found = (char) Integer.parseInt(first + line.substring(at, at + 2), 8);
        at += 2;
        return found;
      } catch (NumberFormatException e) {
        return first;
      }
    }
  }
}
