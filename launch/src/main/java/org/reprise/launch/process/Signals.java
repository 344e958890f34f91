package org.reprise.launch.process;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.reprise.trace.run.Ending;

/**
 * The signals that would end Reprise, taken over while a command runs: the run must be finished
 * properly, whoever is interrupted. Closing gives them back.
 *
 * <p>The JDK's only interface for this is sun.misc.Signal, which is supported but cannot be
 * compiled against without a warning; so it is reached by reflection.
 */
public final class Signals implements AutoCloseable {
  /** Those by which a user or a system asks a program to end. */
  static final List<String> ENDING = List.of("HUP", "INT", "TERM");

  private static final Map<String, Integer> NUMBERS = Map.of("HUP", 1, "INT", 2, "TERM", 15);

  private final Method handle;
  private final Map<Object, Object> previous = new HashMap<>();

  private Signals(Method handle) {
    this.handle = handle;
  }

  @SuppressWarnings("ReferenceEquality") // a handler equals itself only
  public static Signals take(List<String> names, Consumer<String> onSignal) {
    try {
      Class<?> signalType = Class.forName("sun.misc.Signal");
      Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
      Signals signals = new Signals(signalType.getMethod("handle", signalType, handlerType));
      for (String name : names) {
        InvocationHandler invocation =
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "handle" -> {
                    onSignal.accept(name);
                    yield null;
                  }
                  case "equals" -> proxy == arguments[0];
                  case "hashCode" -> System.identityHashCode(proxy);
                  default -> "handler of " + name;
                };
        Object handler =
            Proxy.newProxyInstance(
                Signals.class.getClassLoader(), new Class<?>[] {handlerType}, invocation);
        Object signal = signalType.getConstructor(String.class).newInstance(name);
        signals.previous.put(signal, signals.handle.invoke(null, signal, handler));
      }
      return signals;
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("this Java cannot handle signals", e);
    }
  }

  /** What a shell calls the exit status of a process that this signal ended. */
  public static int statusOf(String name) {
    return Ending.SIGNAL_BASE + NUMBERS.getOrDefault(name, 0);
  }

  @Override
  public void close() {
    try {
      for (Map.Entry<Object, Object> entry : previous.entrySet()) {
        handle.invoke(null, entry.getKey(), entry.getValue());
      }
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }
}
