package org.reprise.ranks.host;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import org.jspecify.annotations.Nullable;
import org.reprise.trace.UserError;

/**
 * The method a program starts at, chosen as Java 25 does (JEP 512): {@code main(String[])} before
 * {@code main()}, static or not, not private, perhaps inherited.
 */
final class MainMethod {
  private static final int WRONG_PROGRAM = 2;

  private final Method method;
  private final @Nullable Constructor<?> constructor;

  private MainMethod(Method method, @Nullable Constructor<?> constructor) {
    this.method = method;
    this.constructor = constructor;
  }

  static boolean isMain(String name, String descriptor) {
    return name.equals("main")
        && (descriptor.equals("([Ljava/lang/String;)V") || descriptor.equals("()V"));
  }

  static MainMethod of(Class<?> type) {
    Method method = find(type, String[].class);
    if (method == null) {
      method = find(type);
    }
    if (method == null) {
      throw notStartable(type, "it has only a private main, or one that returns something");
    }
    method.setAccessible(true);
    if (Modifier.isStatic(method.getModifiers())) {
      return new MainMethod(method, null);
    }
    try {
      Constructor<?> constructor = type.getDeclaredConstructor();
      if (Modifier.isPrivate(constructor.getModifiers())) {
        throw notStartable(type, "its main is not static, and its constructor is private");
      }
      constructor.setAccessible(true);
      return new MainMethod(method, constructor);
    } catch (NoSuchMethodException e) {
      throw notStartable(
          type, "its main is not static, and it has no constructor without arguments");
    }
  }

  private static @Nullable Method find(Class<?> type, Class<?>... parameters) {
    for (Class<?> at = type; at != null && at != Object.class; at = at.getSuperclass()) {
      try {
        Method method = at.getDeclaredMethod("main", parameters);
        boolean startable =
            !Modifier.isPrivate(method.getModifiers()) && method.getReturnType() == void.class;
        if (startable) {
          return method;
        }
      } catch (NoSuchMethodException e) {
        // Perhaps it is inherited.
      }
    }
    return null;
  }

  private static UserError notStartable(Class<?> type, String found) {
    return new UserError(
        "the main of " + type.getName() + " cannot be started",
        found,
        "write static void main(String[] args)",
        WRONG_PROGRAM);
  }

  ClassLoader loader() {
    return method.getDeclaringClass().getClassLoader();
  }

  /** Runs the program; what it throws comes out as it was thrown. */
  void run(String[] arguments) throws Throwable {
    try {
      Object target = constructor == null ? null : constructor.newInstance();
      if (method.getParameterCount() == 0) {
        method.invoke(target);
      } else {
        method.invoke(target, (Object) arguments.clone());
      }
    } catch (InvocationTargetException e) {
      Throwable thrown = e.getCause();
      throw thrown == null ? e : thrown;
    }
  }
}
