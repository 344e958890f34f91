package org.reprise.debugger.jdi;

import com.sun.jdi.ArrayReference;
import com.sun.jdi.IntegerValue;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is in the usual collections of the JDK, by their fields: nobody wants to read the tables of
 * a map. Others are shown as the objects that they are.
 */
final class KnownCollections {
  private static final int ELEMENTS_MAX = 201;

  /** The elements as texts, or entries as {@code key=value}; empty if it is none of these. */
  static Optional<List<String>> elements(ObjectReference object, int depth) {
    return switch (object.referenceType().name()) {
      case "java.util.ArrayList" ->
          of(object, "elementData")
              .map(array -> texts(array, size(ValueText.field(object, "size")), depth));
      case "java.util.Arrays$ArrayList" ->
          of(object, "a").map(array -> texts(array, array.length(), depth));
      case "java.util.ImmutableCollections$ListN" ->
          of(object, "elements").map(array -> texts(array, array.length(), depth));
      case "java.util.HashMap", "java.util.LinkedHashMap" ->
          Optional.of(entries(object, depth, true));
      case "java.util.HashSet", "java.util.LinkedHashSet" ->
          ValueText.field(object, "map") instanceof ObjectReference map
              ? Optional.of(entries(map, depth, false))
              : Optional.empty();
      default -> Optional.empty();
    };
  }

  private static Optional<ArrayReference> of(ObjectReference object, String field) {
    return ValueText.field(object, field) instanceof ArrayReference array
        ? Optional.of(array)
        : Optional.empty();
  }

  private static int size(@Nullable Value value) {
    return value instanceof IntegerValue number ? number.value() : 0;
  }

  private static List<String> texts(ArrayReference array, int size, int depth) {
    int shown = Math.min(Math.min(size, array.length()), ELEMENTS_MAX);
    List<Value> values = shown == 0 ? List.of() : array.getValues(0, shown);
    return values.stream().map(value -> ValueText.of(value, depth)).toList();
  }

  /** In the order of the table, which is that of an iteration over a {@code HashMap}. */
  private static List<String> entries(ObjectReference map, int depth, boolean values) {
    List<String> entries = new ArrayList<>();
    if (ValueText.field(map, "table") instanceof ArrayReference table) {
      for (Value chain : table.getValues()) {
        Value next = chain;
        while (next instanceof ObjectReference entry && entries.size() < ELEMENTS_MAX) {
          String key = ValueText.of(ValueText.field(entry, "key"), depth);
          String value = ValueText.of(ValueText.field(entry, "value"), depth);
          entries.add(values ? key + "=" + value : key);
          next = ValueText.field(entry, "next");
        }
      }
    }
    return entries;
  }

  private KnownCollections() {}
}
