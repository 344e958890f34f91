package org.reprise.anomaly.agent.detect.library;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.reprise.anomaly.agent.instrument.program.Scope;
import org.reprise.anomaly.hooks.Shadow;

/**
 * An object and what belongs to it: arrays and collections in its fields, and objects of the
 * program's classes, as far as they can be seen and are not many. A scratch object is mostly a few
 * arrays.
 */
public final class Reachable {
  private static final int OBJECTS_MAX = 64;

  private Reachable() {}

  public static List<Object> from(Object root) {
    Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    List<Object> found = new ArrayList<>(List.of(root));
    seen.add(root);
    for (int i = 0; i < found.size() && found.size() < OBJECTS_MAX; i++) {
      Object object = found.get(i);
      if (object instanceof Object[] elements) {
        for (Object element : elements) {
          add(element, seen, found);
        }
      } else if (!object.getClass().isArray()) {
        addFields(object, seen, found);
      }
    }
    return found;
  }

  private static void addFields(Object object, Set<Object> seen, List<Object> found) {
    Class<?> type = object.getClass();
    while (type != null && !Scope.isLibrary(type.getName())) {
      for (Field field : type.getDeclaredFields()) {
        if (!Modifier.isStatic(field.getModifiers()) && !field.getType().isPrimitive()) {
          try {
            field.setAccessible(true);
            add(field.get(object), seen, found);
          } catch (IllegalAccessException | RuntimeException e) {
            // Not open to the agent: it is checked like any other.
          }
        }
      }
      type = type.getSuperclass();
    }
  }

  private static void add(@Nullable Object object, Set<Object> seen, List<Object> found) {
    boolean mayBelong =
        object != null
            && found.size() < OBJECTS_MAX
            && !(object instanceof Shadow)
            && (object.getClass().isArray()
                || !Scope.isLibrary(object.getClass().getName())
                || Family.OF.get(object.getClass()) != Family.NONE);
    if (mayBelong && seen.add(object)) {
      found.add(object);
    }
  }
}
