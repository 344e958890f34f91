package org.reprise.cli.terminal;

import java.io.PrintWriter;
import java.util.List;
import java.util.function.Consumer;
import org.reprise.trace.text.JsonText;
import tools.jackson.core.JsonGenerator;

/** Output for scripts. Field names, once given out, stay; docs/COMMANDS.md lists them. */
public final class Json {
  /** Prints what {@code content} writes: one JSON value and a line end. */
  public static void print(PrintWriter out, Consumer<JsonGenerator> content) {
    out.println(JsonText.indented(content));
  }

  public static void strings(JsonGenerator json, String name, List<String> values) {
    json.writeArrayPropertyStart(name);
    values.forEach(json::writeString);
    json.writeEndArray();
  }

  private Json() {}
}
