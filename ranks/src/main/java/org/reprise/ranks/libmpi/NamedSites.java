package org.reprise.ranks.libmpi;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.reprise.ranks.journal.ProgramPlaces;
import org.reprise.trace.events.CallSite;
import org.reprise.trace.file.Wire;

/**
 * Tells the library of events, where it is loaded, which lines of the program the next call of MPI
 * comes from: it cannot see Java's frames. Elsewhere there is none, and calls pay nothing.
 */
final class NamedSites {
  /** Of {@code struct reprise_named_site} in reprise_wire.h: two numbers before the record. */
  private static final long RECORD_AT = 2L * Integer.BYTES;

  private final MethodHandle callFrom;
  private final ProgramPlaces<MemorySegment> places;

  private NamedSites(MemorySegment function, int frames) {
    this.callFrom =
        Linker.nativeLinker()
            .downcallHandle(
                function,
                FunctionDescriptor.ofVoid(ValueLayout.ADDRESS),
                Linker.Option.critical(false));
    this.places = new ProgramPlaces<>(frames, NamedSites::named);
  }

  /** Null if nobody writes events. */
  static @Nullable NamedSites ofThisProcess(Map<String, String> environment) {
    String frames = environment.get(Wire.ENV_EVENTS);
    return frames == null || !frames.matches("[1-9][0-9]?")
        ? null
        : Library.find("reprise_call_from")
            .map(function -> new NamedSites(function, Integer.parseInt(frames)))
            .orElse(null);
  }

  private static MemorySegment named(CallSite place) {
    byte[] record = place.linesRecord();
    MemorySegment site = Arena.global().allocate(RECORD_AT + record.length, Integer.BYTES);
    site.set(ValueLayout.JAVA_INT, Integer.BYTES, record.length);
    MemorySegment.copy(record, 0, site, ValueLayout.JAVA_BYTE, RECORD_AT, record.length);
    return site;
  }

  /** The next call comes from where the calling thread is now. */
  void name() {
    try {
      callFrom.invokeExact(places.here());
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }
}
