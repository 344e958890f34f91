package org.reprise.anomaly.agent.detect.library;

import java.lang.reflect.Field;
import java.util.LinkedHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A {@link LinkedHashMap} that is asked for being ordered by when its keys were asked for last. */
public final class AccessOrder {
  private static final Set<String> ASKING = Set.of("get", "getOrDefault");
  private static final String SYNCHRONIZED = "java.util.Collections$SynchronizedMap";
  private static final @Nullable Field FLAG = field(LinkedHashMap.class, "accessOrder");

  private AccessOrder() {}

  private static @Nullable Field field(Class<?> type, String name) {
    try {
      Field field = type.getDeclaredField(name);
      field.setAccessible(true);
      return field;
    } catch (ReflectiveOperationException | RuntimeException e) {
      return null; // another library, or a package that is closed to us
    }
  }

  /** Whether a call that only asks changes the order of the map's keys. */
  public static boolean isChangedBy(String method, Object map) {
    if (FLAG == null || !ASKING.contains(Effect.name(method))) {
      return false;
    }
    try {
      Object inner = map.getClass().getName().equals(SYNCHRONIZED) ? inside(map) : map;
      return inner instanceof LinkedHashMap<?, ?> && FLAG.getBoolean(inner);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The map that holds the keys of one whose methods are synchronized. */
  private static @Nullable Object inside(Object map) throws IllegalAccessException {
    Field field = field(map.getClass(), "m");
    return field == null ? null : field.get(map);
  }
}
