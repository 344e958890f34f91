package org.reprise.viewer.answer;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.reprise.viewer.picture.Axis;

/** The fields of a question; those that are missing or wrong make it no question. */
public record Query(Map<String, String> fields) {
  public Query {
    fields = Map.copyOf(fields);
  }

  public boolean has(String name) {
    return fields.containsKey(name);
  }

  public String text(String name) {
    String text = fields.get(name);
    if (text == null) {
      throw new IllegalArgumentException("no " + name);
    }
    return text;
  }

  public long number(String name) {
    return Long.parseLong(text(name));
  }

  public int integer(String name) {
    return Integer.parseInt(text(name));
  }

  /** Numbers with points between them; none if nothing is said. */
  public Set<Integer> numbers(String name) {
    return has(name)
        ? Arrays.stream(text(name).split("\\."))
            .map(Integer::valueOf)
            .collect(Collectors.toUnmodifiableSet())
        : Set.of();
  }

  public boolean flag(String name) {
    return "1".equals(fields.get(name));
  }

  public Axis.Kind axis() {
    return Axis.Kind.valueOf(text("axis").toUpperCase(Locale.ROOT));
  }
}
