package org.reprise.trace.text;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reprise.trace.TraceError;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * An object of a JSON file of a run, asked field by field. Fields nobody asks for are ignored: a
 * newer Reprise may have written more. A field that is missing or of another type is a {@link
 * TraceError} that names it.
 */
public final class JsonObject {
  private final Path file;
  private final Map<String, @Nullable Object> fields;

  private JsonObject(Path file, Map<String, @Nullable Object> fields) {
    this.file = file;
    this.fields = fields;
  }

  public static JsonObject parse(Path file, byte[] content) {
    try (JsonParser parser = new JsonFactory().createParser(ObjectReadContext.empty(), content)) {
      parser.nextToken();
      Object value = JsonTree.value(parser);
      if (value instanceof Map<?, ?> && parser.nextToken() == null) {
        return new JsonObject(file, asFields(value));
      }
    } catch (JacksonException e) {
      // It cannot name its source, and says so at length.
      String why = e.getOriginalMessage().replaceAll("\\s*\\(start marker at .*\\)", "");
      throw new TraceError(file + " is damaged", why, TraceError.RECORD_AGAIN);
    }
    throw new TraceError(file + " is damaged", "not one JSON object", TraceError.RECORD_AGAIN);
  }

  @SuppressWarnings("unchecked")
  private static Map<String, @Nullable Object> asFields(Object object) {
    return (Map<String, @Nullable Object>) object;
  }

  public boolean has(String name) {
    return fields.get(name) != null;
  }

  public String string(String name) {
    return text(name, fields.get(name));
  }

  /** A string that is only shown. */
  public String line(String name) {
    return PlainText.line(string(name));
  }

  /** Nothing that a system gets, a path, a word or a variable, can hold a zero byte. */
  private String text(String name, @Nullable Object value) {
    String text = require(String.class, name, value);
    if (text.indexOf('\0') >= 0) {
      throw wrong(name);
    }
    return text;
  }

  public long number(String name) {
    return require(Long.class, name, fields.get(name));
  }

  public int integer(String name) {
    long number = number(name);
    if (number < Integer.MIN_VALUE || number > Integer.MAX_VALUE) {
      throw wrong(name);
    }
    return (int) number;
  }

  public long number(String name, long min, long max) {
    long number = number(name);
    if (number < min || number > max) {
      throw wrong(name);
    }
    return number;
  }

  public int integer(String name, int min, int max) {
    return (int) number(name, min, max);
  }

  public boolean flag(String name) {
    return require(Boolean.class, name, fields.get(name));
  }

  public Optional<JsonObject> optionalObject(String name) {
    return has(name) ? Optional.of(object(name)) : Optional.empty();
  }

  public JsonObject object(String name) {
    return asObject(name, fields.get(name));
  }

  public List<JsonObject> objects(String name) {
    return items(name).stream().map(item -> asObject(name, item)).toList();
  }

  public List<String> strings(String name) {
    return items(name).stream().map(item -> text(name, item)).toList();
  }

  public Map<String, String> stringMap(String name) {
    Map<String, String> map = new LinkedHashMap<>();
    object(name).fields.forEach((key, value) -> map.put(key, text(name, value)));
    return map;
  }

  /** A field whose text is parsed by {@code parse}, which throws if it cannot. */
  public <T> T parsed(String name, Function<String, T> parse) {
    String text = string(name);
    try {
      return parse.apply(text);
    } catch (RuntimeException e) {
      throw wrong(name);
    }
  }

  private List<? extends @Nullable Object> items(String name) {
    return require(List.class, name, fields.get(name));
  }

  private JsonObject asObject(String name, @Nullable Object value) {
    return new JsonObject(file, asFields(require(Map.class, name, value)));
  }

  private <T> T require(Class<T> type, String name, @Nullable Object value) {
    if (!type.isInstance(value)) {
      throw wrong(name);
    }
    return type.cast(value);
  }

  public TraceError wrong(String name) {
    Object found = fields.get(name);
    return new TraceError(
        file + " is damaged",
        "field \"" + name + "\" is " + (found == null ? "missing" : "not what it should be"),
        TraceError.RECORD_AGAIN);
  }
}
