package org.reprise.debugger.jdi;

import com.sun.jdi.ArrayReference;
import com.sun.jdi.BooleanValue;
import com.sun.jdi.ByteValue;
import com.sun.jdi.CharValue;
import com.sun.jdi.ClassType;
import com.sun.jdi.DoubleValue;
import com.sun.jdi.Field;
import com.sun.jdi.FloatValue;
import com.sun.jdi.IntegerValue;
import com.sun.jdi.LongValue;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.ShortValue;
import com.sun.jdi.StringReference;
import com.sun.jdi.Value;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Values as they are printed. Nothing is called for it, no {@code toString} either, since that
 * could change the program: objects are shown by their fields.
 */
final class ValueText {
  private static final int ELEMENTS_MAX = 200;
  private static final int CHARACTERS_MAX = 500;
  private static final int DEPTH_MAX = 3;
  private static final int FIELDS_MAX = 30;
  private static final Set<String> BOXES =
      Set.of(
          "java.lang.Integer",
          "java.lang.Long",
          "java.lang.Double",
          "java.lang.Float",
          "java.lang.Short",
          "java.lang.Byte",
          "java.lang.Character",
          "java.lang.Boolean");

  static String of(@Nullable Object value) {
    return of(value, 0);
  }

  /** All elements of a part of an array: {@code {1, 2.5, 3}}. */
  static String elements(ArrayReference array, int from, int to) {
    return braces(array.getValues(from, to - from), Integer.MAX_VALUE, 0, to - from);
  }

  static String of(@Nullable Object value, int depth) {
    return switch (value) {
      case null -> "null";
      case Character c -> "'" + escaped(String.valueOf(c)).replace("'", "\\'") + "'";
      case String text -> quoted(text);
      case StringReference text -> quoted(text.value());
      case JavaExpression.Slice(ArrayReference array, int from, int to) ->
          braces(array.getValues(from, to - from), ELEMENTS_MAX, depth, to - from);
      case ArrayReference array -> array(array, depth);
      case ObjectReference object -> object(object, depth);
      case Value primitive when primitive(primitive) != null -> of(primitive(primitive), depth);
      default -> String.valueOf(value);
    };
  }

  /** As Java boxes it; null if it is none. */
  static @Nullable Object primitive(Value value) {
    return switch (value) {
      case BooleanValue v -> v.value();
      case ByteValue v -> v.value();
      case CharValue v -> v.value();
      case ShortValue v -> v.value();
      case IntegerValue v -> v.value();
      case LongValue v -> v.value();
      case FloatValue v -> v.value();
      case DoubleValue v -> v.value();
      default -> null;
    };
  }

  private static String array(ArrayReference array, int depth) {
    int length = array.length();
    if (depth >= DEPTH_MAX) {
      return "{...}";
    }
    int shown = Math.min(length, ELEMENTS_MAX);
    List<Value> values = shown == 0 ? List.of() : array.getValues(0, shown);
    return braces(values, ELEMENTS_MAX, depth, length);
  }

  private static String braces(List<Value> values, int max, int depth, int length) {
    List<String> texts = values.stream().limit(max).map(value -> of(value, depth + 1)).toList();
    return cut(texts, max, "{", length > max);
  }

  private static String cut(List<String> texts, int max, String opening, boolean more) {
    return texts.stream()
        .limit(max)
        .collect(Collectors.joining(", ", opening, more ? "...}" : "}"));
  }

  private static String object(ObjectReference object, int depth) {
    String type = object.referenceType().name();
    if (BOXES.contains(type)) {
      return of(field(object, "value"), depth);
    }
    if (object.referenceType() instanceof ClassType known && isEnum(known)) {
      return field(object, "name") instanceof StringReference name ? name.value() : type;
    }
    Optional<List<String>> elements = KnownCollections.elements(object, depth + 1);
    if (elements.isPresent()) {
      return cut(elements.get(), ELEMENTS_MAX, "{", elements.get().size() > ELEMENTS_MAX);
    }
    String simple = type.substring(type.lastIndexOf('.') + 1);
    if (depth >= DEPTH_MAX - 1) {
      return simple + "{...}";
    }
    List<Field> fields =
        object.referenceType().allFields().stream()
            .filter(field -> !field.isStatic() && !field.isSynthetic())
            .toList();
    List<String> texts =
        fields.stream()
            .limit(FIELDS_MAX)
            .map(field -> field.name() + "=" + of(object.getValue(field), depth + 1))
            .toList();
    return cut(texts, FIELDS_MAX, simple + "{", fields.size() > FIELDS_MAX);
  }

  private static boolean isEnum(ClassType type) {
    ClassType parent = type.superclass();
    return type.isEnum() || parent != null && parent.isEnum();
  }

  static @Nullable Value field(ObjectReference object, String name) {
    Field field = object.referenceType().fieldByName(name);
    return field == null ? null : object.getValue(field);
  }

  private static String quoted(String text) {
    boolean cut = text.length() > CHARACTERS_MAX;
    String shown = cut ? text.substring(0, CHARACTERS_MAX) : text;
    return '"' + escaped(shown).replace("\"", "\\\"") + '"' + (cut ? "..." : "");
  }

  private static String escaped(String text) {
    StringBuilder escaped = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '\\' -> escaped.append("\\\\");
        case '\n' -> escaped.append("\\n");
        case '\t' -> escaped.append("\\t");
        case '\r' -> escaped.append("\\r");
        default -> {
          if (Character.isISOControl(c)) {
            escaped.append("\\u%04x".formatted((int) c));
          } else {
            escaped.append(c);
          }
        }
      }
    }
    return escaped.toString();
  }

  private ValueText() {}
}
