package org.reprise.debugger.jdi;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.reprise.debugger.source.SourceError;

/** The words of a Java expression, one after the other. */
final class Tokens {
  private static final Pattern TOKEN =
      Pattern.compile(
          "\\s*(?:(?<number>(?:0[xX][0-9a-fA-F_]+|0[bB][01_]+|(?:\\d[\\d_]*)?\\.?\\d[\\d_]*\\.?(?:[eE][+-]?\\d+)?)[lLdDfF]?)"
              + "|(?<name>[\\p{L}_$][\\p{L}\\p{N}_$]*)"
              + "|(?<text>\"(?:[^\"\\\\]|\\\\.)*\"|'(?:[^'\\\\]|\\\\.)+')"
              + "|(?<sign>>>>|<<|>>|<=|>=|==|!=|&&|\\|\\||[-+*/%&|^~!<>=?:.,()\\[\\]]))");

  private final String typed;
  private final List<String> words = new ArrayList<>();
  private int at;

  Tokens(String typed) {
    this.typed = typed;
    Matcher token = TOKEN.matcher(typed);
    int end = 0;
    while (end < typed.stripTrailing().length()) {
      if (!token.find(end) || token.start() != end) {
        throw new SourceError("'" + typed.substring(end).strip() + "' is not understood here");
      }
      words.add(token.group().strip());
      end = token.end();
    }
  }

  /** The next word; empty at the end. */
  String peek() {
    return peek(0);
  }

  String peek(int ahead) {
    return at + ahead < words.size() ? words.get(at + ahead) : "";
  }

  String next() {
    if (at >= words.size()) {
      throw new SourceError("'" + typed + "' ends too soon");
    }
    return words.get(at++);
  }

  /** Takes the next word if it is this one. */
  boolean take(String word) {
    boolean is = peek().equals(word);
    at += is ? 1 : 0;
    return is;
  }

  void require(String word) {
    if (!take(word)) {
      throw new SourceError(
          "'%s' is expected %s"
              .formatted(word, peek().isEmpty() ? "at the end" : "before '" + peek() + "'"));
    }
  }

  void requireEnd() {
    if (at < words.size()) {
      throw new SourceError("'" + peek() + "' is not understood here");
    }
  }

  static boolean isName(String word) {
    return !word.isEmpty() && Character.isJavaIdentifierStart(word.charAt(0));
  }
}
