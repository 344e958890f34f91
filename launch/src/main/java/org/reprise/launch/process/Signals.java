package org.reprise.launch.process;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.reprise.trace.run.Ending;

/**
 * The signals that would end Reprise, taken over while a command runs: the run must be finished
 * properly, whoever is interrupted. Several may take them at once, and all are told, the first one
 * first; when the last has closed, signals do again what they did before.
 *
 * <p>The JDK's only interface for this is sun.misc.Signal, which is supported but cannot be
 * compiled against without a warning; so it is reached by reflection.
 */
public final class Signals implements AutoCloseable {
  /** Those by which a user or a system asks a program to end. */
  static final List<String> ENDING = List.of("HUP", "INT", "TERM");

  private static final Map<String, Integer> NUMBERS = Map.of("HUP", 1, "INT", 2, "TERM", 15);

  /** By signal: who is to be told. Guarded by itself. */
  private static final Map<String, List<Signals>> TAKERS = new HashMap<>();

  /** By signal: what was there before anybody took it. */
  private static final Map<String, Object> BEFORE = new HashMap<>();

  private final List<String> names;
  private final Consumer<String> onSignal;

  private Signals(List<String> names, Consumer<String> onSignal) {
    this.names = List.copyOf(names);
    this.onSignal = onSignal;
  }

  public static Signals take(List<String> names, Consumer<String> onSignal) {
    Signals signals = new Signals(names, onSignal);
    synchronized (TAKERS) {
      for (String name : names) {
        List<Signals> takers = TAKERS.computeIfAbsent(name, _ -> new ArrayList<>());
        if (takers.isEmpty()) {
          BEFORE.put(name, handle(name, handler(name)));
        }
        takers.add(signals);
      }
    }
    return signals;
  }

  private static void tell(String name) {
    List<Signals> takers;
    synchronized (TAKERS) {
      takers = List.copyOf(TAKERS.getOrDefault(name, List.of()));
    }
    takers.forEach(taker -> taker.onSignal.accept(name));
  }

  /** Gives a signal another handler; the one that it had. */
  private static Object handle(String name, Object handler) {
    try {
      Class<?> signalType = Class.forName("sun.misc.Signal");
      Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
      return signalType
          .getMethod("handle", signalType, handlerType)
          .invoke(null, signalType.getConstructor(String.class).newInstance(name), handler);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("this Java cannot handle signals", e);
    }
  }

  @SuppressWarnings("ReferenceEquality") // a handler equals itself only
  private static Object handler(String signal) {
    try {
      InvocationHandler invocation =
          (proxy, method, arguments) ->
              switch (method.getName()) {
                case "handle" -> {
                  tell(signal);
                  yield null;
                }
                case "equals" -> proxy == arguments[0];
                case "hashCode" -> System.identityHashCode(proxy);
                default -> "handler of " + signal;
              };
      return Proxy.newProxyInstance(
          Signals.class.getClassLoader(),
          new Class<?>[] {Class.forName("sun.misc.SignalHandler")},
          invocation);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException("this Java cannot handle signals", e);
    }
  }

  /** What a shell calls the exit status of a process that this signal ended. */
  public static int statusOf(String name) {
    return Ending.SIGNAL_BASE + NUMBERS.getOrDefault(name, 0);
  }

  @Override
  public void close() {
    synchronized (TAKERS) {
      for (String name : names) {
        List<Signals> takers = TAKERS.getOrDefault(name, new ArrayList<>());
        takers.remove(this);
        Object before = takers.isEmpty() ? BEFORE.remove(name) : null;
        if (before != null) {
          handle(name, before);
        }
      }
    }
  }
}
