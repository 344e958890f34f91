package org.reprise.anomaly.agent.detect.library;

import java.lang.reflect.Field;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Parts of a list, as {@code subList} gives them: which of its elements they show. */
public final class ListParts {
  /** So many elements that a call moves are told apart; more are not worth the time. */
  public static final int MOVED_MAX = 4096;

  /** Calls that put elements of a list into other places, or others in their places. */
  private static final Set<String> MOVING =
      Set.of("sort", "replaceAll", "shuffle", "reverse", "swap", "rotate", "fill", "copy");

  private static final ClassValue<Offset> OFFSETS =
      new ClassValue<>() {
        @Override
        protected Offset computeValue(Class<?> type) {
          return Offset.of(type);
        }
      };

  private ListParts() {}

  public static boolean isPart(Object list) {
    return offset(list) >= 0;
  }

  /** Whether a method of the list, or a static one that is given it, moves its elements. */
  public static boolean isMovedBy(String method) {
    return MOVING.contains(method);
  }

  /** Where the part begins in the list that it is a part of, however often parts were taken. */
  public static int offset(Object part) {
    return OFFSETS.get(part.getClass()).in(part);
  }

  /** Where a class keeps the offset; nowhere, if it is not one of a part. */
  private record Offset(@Nullable Field field) {
    static Offset of(Class<?> type) {
      for (Class<?> at = type; at != null; at = at.getSuperclass()) {
        String name = at.getName();
        if (name.equals("java.util.ArrayList$SubList")
            || name.equals("java.util.AbstractList$SubList")) {
          return in(at);
        }
      }
      return new Offset(null);
    }

    private static Offset in(Class<?> type) {
      try {
        Field field = type.getDeclaredField("offset");
        field.setAccessible(true);
        return new Offset(field);
      } catch (ReflectiveOperationException | RuntimeException e) {
        return new Offset(null); // another library, or a package that is closed to us
      }
    }

    int in(Object part) {
      try {
        return field == null ? -1 : field.getInt(part);
      } catch (IllegalAccessException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
