package org.reprise.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.PrettyPrinter;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.DefaultPrettyPrinter;

/** Output for scripts. Field names, once given out, stay; docs/COMMANDS.md lists them. */
final class Json {
  private static final ObjectWriteContext INDENTED =
      new ObjectWriteContext.Base() {
        @Override
        public PrettyPrinter getPrettyPrinter() {
          return new DefaultPrettyPrinter();
        }

        @Override
        public boolean hasPrettyPrinter() {
          return true;
        }
      };

  /** Prints what {@code content} writes: one JSON value and a line end. */
  static void print(PrintWriter out, Consumer<JsonGenerator> content) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(INDENTED, text)) {
      content.accept(json);
    }
    out.println(text);
  }

  static void strings(JsonGenerator json, String name, List<String> values) {
    json.writeArrayPropertyStart(name);
    values.forEach(json::writeString);
    json.writeEndArray();
  }

  private Json() {}
}
