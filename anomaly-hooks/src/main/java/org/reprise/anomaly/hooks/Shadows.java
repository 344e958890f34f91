package org.reprise.anomaly.hooks;

import java.lang.invoke.MethodHandles;
import org.jspecify.annotations.Nullable;

/**
 * The field in which objects of instrumented classes hold their {@link Shadow}. It is private, so
 * that serial versions stay as they are, and reached by its offset.
 *
 * <p>What the JDK has for that is not for everybody, and no compiler lets us name it: the bodies of
 * the methods that end in {@code At} are put in place by the agent when this class is loaded. As
 * they stand here, no class has such a field.
 */
public final class Shadows {
  public static final String FIELD = "$reprise$shadow";

  /** By class; 0 for objects that hold none. */
  private static final ClassValue<Long> OFFSETS =
      new ClassValue<>() {
        @Override
        protected Long computeValue(Class<?> type) {
          return find(type);
        }
      };

  private Shadows() {}

  /**
   * Where objects of a class, and of those that extend it, hold their shadow. An object, since the
   * compilers of Java 17 leave methods alone that have numbers for dynamic constants; a record,
   * since compilers trust what it holds.
   */
  public record Place(long offset) {}

  /** A constant of instrumented classes: the place of a class whose objects they access. */
  public static Place place(MethodHandles.Lookup caller, String name, Class<?> type, Class<?> of) {
    return new Place(OFFSETS.get(of));
  }

  /** Where objects of the class hold their shadow; 0: nowhere. */
  public static long offset(Class<?> type) {
    return OFFSETS.get(type);
  }

  /** Every class adds the field for itself; the topmost one is used, the same for all who ask. */
  private static long find(Class<?> type) {
    long found = 0;
    for (Class<?> above = type; above != null; above = above.getSuperclass()) {
      long own = ownOffset(above);
      found = own == 0 ? found : own;
    }
    return found;
  }

  /** Where the field is that this very class declares; 0 if it has none. */
  public static long ownOffset(Class<?> type) {
    try {
      return offsetAt(type, FIELD);
    } catch (InternalError e) {
      return 0;
    }
  }

  /** The shadow of the object; null if it has none yet, or one that it got from another. */
  public static @Nullable Shadow get(Object object, long offset) {
    Shadow shadow = getAt(object, offset);
    return shadow != null && shadow.isOf(object) ? shadow : null;
  }

  /** Gives the object this shadow, unless it has one by now; returns the one it has. */
  public static Shadow set(Object object, long offset, Shadow shadow) {
    while (true) {
      Shadow there = getAt(object, offset);
      if (there != null && there.isOf(object)) {
        return there;
      }
      if (replaceAt(object, offset, there, shadow)) {
        return shadow;
      }
    }
  }

  static long offsetAt(Class<?> type, String field) {
    return 0;
  }

  static @Nullable Shadow getAt(Object object, long offset) {
    return null;
  }

  static boolean replaceAt(Object object, long offset, @Nullable Shadow old, Shadow shadow) {
    return true;
  }
}
