package org.reprise.debugger;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * What a command of the debugger answers: lines for a person, and the same as values for a script.
 */
public final class Answer {
  private final List<String> lines = new ArrayList<>();
  private final Map<String, Object> values = new LinkedHashMap<>();
  private boolean failed;

  public static Answer of(String line) {
    return new Answer().line(line);
  }

  public Answer line(String line) {
    lines.add(line);
    return this;
  }

  public Answer value(String name, Object value) {
    values.put(name, value);
    return this;
  }

  public Answer add(Answer other) {
    lines.addAll(other.lines);
    values.putAll(other.values);
    failed |= other.failed;
    return this;
  }

  /** What was asked for was not done, or not by all ranks. */
  Answer fail() {
    failed = true;
    return this;
  }

  public boolean failed() {
    return failed;
  }

  public List<String> lines() {
    return lines;
  }

  public Map<String, Object> values() {
    return values;
  }

  /** Two named values, in this order: those of {@link Map#of} come in another one each time. */
  static Map<String, Object> object(String one, Object value, String other, Object otherValue) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put(one, value);
    object.put(other, otherValue);
    return object;
  }

  /**
   * One line for each different text, with the ranks that it is of; the lowest rank first.
   *
   * @param isFailure whether a text says what could not be done
   */
  public static Answer collapsed(SortedMap<Integer, String> texts, Predicate<String> isFailure) {
    Map<String, TreeSet<Integer>> ranks = new LinkedHashMap<>();
    texts.forEach((rank, text) -> ranks.computeIfAbsent(text, _ -> new TreeSet<>()).add(rank));
    Answer answer = new Answer();
    List<Object> groups = new ArrayList<>();
    ranks.forEach(
        (text, these) -> {
          String head = RankSet.of(these).text() + ": ";
          List<String> parts = text.lines().toList();
          answer.line(head + (parts.isEmpty() ? "" : parts.getFirst()));
          parts.stream().skip(1).forEach(part -> answer.line("  " + part));
          groups.add(object("ranks", List.copyOf(these), "value", text));
        });
    answer.failed = !texts.isEmpty() && texts.values().stream().allMatch(isFailure);
    return answer.value("groups", groups);
  }
}
