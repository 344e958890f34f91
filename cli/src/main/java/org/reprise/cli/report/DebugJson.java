package org.reprise.cli.report;

import java.io.StringWriter;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.reprise.debugger.Answer;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** An answer of the debugger for a script: one object in one line. */
public final class DebugJson {
  private static final JsonFactory FACTORY = new JsonFactory();

  public static String text(String command, Answer answer, Map<String, String> error) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = FACTORY.createGenerator(ObjectWriteContext.empty(), text)) {
      json.writeStartObject();
      json.writeStringProperty("command", command);
      json.writeBooleanProperty("ok", error.isEmpty() && !answer.failed());
      error.forEach(json::writeStringProperty);
      answer.values().forEach((name, value) -> property(json, name, value));
      json.writeArrayPropertyStart("lines");
      answer.lines().forEach(json::writeString);
      json.writeEndArray();
      json.writeEndObject();
    }
    return text.toString();
  }

  private static void property(JsonGenerator json, String name, @Nullable Object value) {
    json.writeName(name);
    value(json, value);
  }

  private static void value(JsonGenerator json, @Nullable Object value) {
    switch (value) {
      case Map<?, ?> map -> {
        json.writeStartObject();
        map.forEach((name, inner) -> property(json, String.valueOf(name), inner));
        json.writeEndObject();
      }
      case Iterable<?> items -> {
        json.writeStartArray();
        items.forEach(item -> value(json, item));
        json.writeEndArray();
      }
      case Boolean flag -> json.writeBoolean(flag);
      case Number number -> json.writeNumber(number.longValue());
      case null, default -> json.writeString(String.valueOf(value));
    }
  }

  private DebugJson() {}
}
