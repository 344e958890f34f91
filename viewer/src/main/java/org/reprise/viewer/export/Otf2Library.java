package org.reprise.viewer.export;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.reprise.trace.UserError;

/**
 * The library that writes OTF2, if the system has it. Its functions are called by name: the first
 * argument is what they work on, and each other one has the width of its Java type, as the headers
 * of the library have it.
 */
final class Otf2Library {
  /** As upstream and as Debian call it; the versions that this was tried with come first. */
  private static final List<String> NAMES =
      List.of(
          "libotf2.so.10",
          "libopen-trace-format2.so.10",
          "libotf2.so.9",
          "libopen-trace-format2.so.9",
          "libotf2.so",
          "libopen-trace-format2.so");

  private static final byte FLUSH = 1;

  private final Arena arena;
  private final SymbolLookup symbols;
  private final Linker linker = Linker.nativeLinker();
  private final Map<String, MethodHandle> functions = new HashMap<>();

  private Otf2Library(Arena arena, SymbolLookup symbols) {
    this.arena = arena;
    this.symbols = symbols;
  }

  /** The library, which stays loaded as long as the arena is open. */
  static Otf2Library open(Arena arena) {
    return NAMES.stream()
        .flatMap(name -> load(name, arena).stream())
        .findFirst()
        .map(symbols -> new Otf2Library(arena, symbols))
        .orElseThrow(
            () ->
                new UserError(
                    "the library that writes OTF2 is not installed",
                    "none of " + String.join(", ", NAMES),
                    "sudo apt-get install libotf2-trace-dev, or take --format perfetto"));
  }

  private static Optional<SymbolLookup> load(String name, Arena arena) {
    try {
      return Optional.of(SymbolLookup.libraryLookup(name, arena));
    } catch (IllegalArgumentException notThere) {
      return Optional.empty();
    }
  }

  /** Text as the library takes it. */
  MemorySegment text(String text) {
    return arena.allocateFrom(text);
  }

  MemorySegment numbers(long[] values) {
    return arena.allocateFrom(ValueLayout.JAVA_LONG, values);
  }

  /** The callbacks of an archive: buffers are flushed when they are full, without a mark of it. */
  MemorySegment flushCallbacks() {
    try {
      MethodHandle flush =
          MethodHandles.lookup()
              .findStatic(
                  Otf2Library.class,
                  "flush",
                  MethodType.methodType(
                      byte.class,
                      MemorySegment.class,
                      byte.class,
                      long.class,
                      MemorySegment.class,
                      boolean.class));
      MemorySegment pointer =
          linker.upcallStub(
              flush,
              FunctionDescriptor.of(
                  ValueLayout.JAVA_BYTE,
                  ValueLayout.ADDRESS,
                  ValueLayout.JAVA_BYTE,
                  ValueLayout.JAVA_LONG,
                  ValueLayout.ADDRESS,
                  ValueLayout.JAVA_BOOLEAN),
              arena);
      MemorySegment callbacks = arena.allocate(ValueLayout.ADDRESS, 2);
      callbacks.setAtIndex(ValueLayout.ADDRESS, 0, pointer);
      return callbacks;
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  @SuppressWarnings("unused") // the library calls it
  private static byte flush(
      MemorySegment user, byte kind, long location, MemorySegment caller, boolean last) {
    return FLUSH;
  }

  /** Calls a function that returns something to work on. */
  MemorySegment make(String name, Object... arguments) {
    MemorySegment made = (MemorySegment) invoke(name, ValueLayout.ADDRESS, arguments);
    if (made.equals(MemorySegment.NULL)) {
      throw new IllegalStateException(name + " failed");
    }
    return made;
  }

  /** Calls a function that returns whether it succeeded. */
  void call(String name, Object... arguments) {
    int error = (int) invoke(name, ValueLayout.JAVA_INT, arguments);
    if (error != 0) {
      throw new IllegalStateException(name + " failed with error " + error);
    }
  }

  private Object invoke(String name, MemoryLayout result, Object... arguments) {
    MethodHandle function = functions.computeIfAbsent(name, _ -> link(name, result, arguments));
    try {
      return function.invokeWithArguments(arguments);
    } catch (RuntimeException e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  private MethodHandle link(String name, MemoryLayout result, Object... arguments) {
    MemoryLayout[] layouts = new MemoryLayout[arguments.length];
    for (int i = 0; i < arguments.length; i++) {
      layouts[i] =
          switch (arguments[i]) {
            case Byte _ -> ValueLayout.JAVA_BYTE;
            case Integer _ -> ValueLayout.JAVA_INT;
            case Long _ -> ValueLayout.JAVA_LONG;
            default -> ValueLayout.ADDRESS;
          };
    }
    return linker.downcallHandle(
        symbols.find(name).orElseThrow(() -> new IllegalStateException("no " + name)),
        FunctionDescriptor.of(result, layouts));
  }
}
