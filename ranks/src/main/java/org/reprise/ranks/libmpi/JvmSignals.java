package org.reprise.ranks.libmpi;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The JVM's handlers of the signals that it works with: it reads through null pointers on purpose
 * and goes on from the signal. UCX, which MPICH and Open MPI load, takes such a signal for the end
 * and prints a backtrace; a program then dies when the compiler has removed a null check. So the
 * handlers are kept before libmpi is loaded, and put back when it is and when it has started.
 */
final class JvmSignals {
  private static final int[] SIGNALS = {4, 7, 8, 11}; // SIGILL, SIGBUS, SIGFPE, SIGSEGV

  /** More than a struct sigaction has anywhere; nobody looks inside. */
  private static final int SIGACTION_BYTES = 512;

  private static final MethodHandle SIGACTION =
      Library.plain(
          "sigaction",
          FunctionDescriptor.of(
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_INT,
              ValueLayout.ADDRESS,
              ValueLayout.ADDRESS));

  private final Map<Integer, MemorySegment> handlers = new LinkedHashMap<>();

  private JvmSignals() {}

  static JvmSignals keep() {
    JvmSignals kept = new JvmSignals();
    for (int signal : SIGNALS) {
      MemorySegment handler = Arena.global().allocate(SIGACTION_BYTES, 8);
      sigaction(signal, MemorySegment.NULL, handler);
      kept.handlers.put(signal, handler);
    }
    return kept;
  }

  void restore() {
    handlers.forEach((signal, handler) -> sigaction(signal, handler, MemorySegment.NULL));
  }

  private static void sigaction(int signal, MemorySegment set, MemorySegment get) {
    try {
      int status = (int) SIGACTION.invokeExact(signal, set, get);
      if (status != 0) {
        throw new IllegalStateException("sigaction failed for signal " + signal);
      }
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }
}
