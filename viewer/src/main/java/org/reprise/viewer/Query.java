package org.reprise.viewer;

import java.util.Locale;
import java.util.Map;

/** The fields of a question; those that are missing or wrong make it no question. */
record Query(Map<String, String> fields) {
  Query {
    fields = Map.copyOf(fields);
  }

  String text(String name) {
    String text = fields.get(name);
    if (text == null) {
      throw new IllegalArgumentException("no " + name);
    }
    return text;
  }

  long number(String name) {
    return Long.parseLong(text(name));
  }

  int integer(String name) {
    return Integer.parseInt(text(name));
  }

  boolean flag(String name) {
    return "1".equals(fields.get(name));
  }

  Axis.Kind axis() {
    return Axis.Kind.valueOf(text("axis").toUpperCase(Locale.ROOT));
  }
}
