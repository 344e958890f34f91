package org.reprise.anomaly.agent.detect.library;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
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
    return from(List.of(root));
  }

  /** What a function was given, and what the static fields of the class hold that made it. */
  public static List<Object> fromFunction(Object function) {
    List<Object> roots = new ArrayList<>(List.of(function));
    Class<?> type = function.getClass().getNestHost();
    if (!Scope.isLibrary(type.getName())) {
      for (Field field : type.getDeclaredFields()) {
        if (Modifier.isStatic(field.getModifiers()) && !field.getType().isPrimitive()) {
          roots.addAll(value(field, null).stream().filter(Reachable::mayBelong).toList());
        }
      }
    }
    return from(roots);
  }

  private static List<Object> from(List<Object> roots) {
    Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    List<Object> found = new ArrayList<>(roots);
    seen.addAll(roots);
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
          value(field, object).ifPresent(value -> add(value, seen, found));
        }
      }
      type = type.getSuperclass();
    }
  }

  private static Optional<Object> value(Field field, @Nullable Object object) {
    try {
      field.setAccessible(true);
      return Optional.ofNullable(field.get(object));
    } catch (IllegalAccessException | RuntimeException e) {
      return Optional.empty(); // not open to the agent: it is checked like any other
    }
  }

  private static void add(@Nullable Object object, Set<Object> seen, List<Object> found) {
    if (object != null && found.size() < OBJECTS_MAX && mayBelong(object) && seen.add(object)) {
      found.add(object);
    }
  }

  private static boolean mayBelong(Object object) {
    return !(object instanceof Shadow)
        && (object.getClass().isArray()
            || !Scope.isLibrary(object.getClass().getName())
            || Family.OF.get(object.getClass()) != Family.NONE);
  }
}
