package org.reprise.trace.text;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** A JSON value as maps, lists, strings, longs and booleans; null for whatever else there is. */
public final class JsonTree {
  /** The value that the parser is at; it is at the end of it then. */
  public static @Nullable Object value(JsonParser parser) {
    JsonToken token = parser.currentToken();
    if (token == JsonToken.START_OBJECT) {
      Map<String, @Nullable Object> fields = new LinkedHashMap<>();
      while (parser.nextToken() != JsonToken.END_OBJECT) {
        String name = parser.currentName();
        parser.nextToken();
        fields.put(name, value(parser));
      }
      return fields;
    }
    if (token == JsonToken.START_ARRAY) {
      List<@Nullable Object> items = new ArrayList<>();
      while (parser.nextToken() != JsonToken.END_ARRAY) {
        items.add(value(parser));
      }
      return items;
    }
    if (token == JsonToken.VALUE_STRING) {
      return parser.getString();
    }
    if (token == JsonToken.VALUE_NUMBER_INT) {
      return parser.getLongValue();
    }
    if (token == JsonToken.VALUE_TRUE || token == JsonToken.VALUE_FALSE) {
      return parser.getBooleanValue();
    }
    return null;
  }

  private JsonTree() {}
}
