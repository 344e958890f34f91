package org.reprise.anomaly.agent.detect;

import java.lang.reflect.Field;
import java.util.LinkedHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A {@link LinkedHashMap} that is asked for being ordered by when its keys were asked for last. */
final class AccessOrder {
  private static final Set<String> ASKING = Set.of("get", "getOrDefault");
  private static final @Nullable Field FLAG = flag();

  private AccessOrder() {}

  private static @Nullable Field flag() {
    try {
      Field field = LinkedHashMap.class.getDeclaredField("accessOrder");
      field.setAccessible(true);
      return field;
    } catch (ReflectiveOperationException | RuntimeException e) {
      return null; // another library, or a package that is closed to us
    }
  }

  /** Whether a call that only asks changes the order of the map's keys. */
  static boolean isChangedBy(String call, Object map) {
    if (!(map instanceof LinkedHashMap<?, ?>) || FLAG == null) {
      return false;
    }
    String method = call.substring(call.lastIndexOf('.') + 1);
    int use = method.indexOf(':');
    try {
      return ASKING.contains(use < 0 ? method : method.substring(0, use)) && FLAG.getBoolean(map);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }
}
