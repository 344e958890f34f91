package org.reprise.ranks.libmpi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.reprise.ranks.fabric.Payload;

/**
 * Native memory that messages leave from and arrive in, kept and used again: libmpi works on it
 * while the collector moves Java's arrays. Elements are copied in bulk.
 */
final class Segments {
  private static final int SMALLEST_LOG = 8;

  /** Those not in use, by the logarithm of their size. */
  private final List<ArrayDeque<MemorySegment>> idle = new ArrayList<>();

  Segments() {
    for (int log = 0; log < Long.SIZE; log++) {
      idle.add(new ArrayDeque<>());
    }
  }

  /** A segment of at least this many bytes. */
  MemorySegment take(long bytes) {
    int log = Math.max(SMALLEST_LOG, Long.SIZE - Long.numberOfLeadingZeros(Math.max(1, bytes) - 1));
    MemorySegment segment = idle.get(log).pollLast();
    return segment == null ? Arena.global().allocate(1L << log, 64) : segment;
  }

  void give(MemorySegment segment) {
    idle.get(Long.numberOfTrailingZeros(segment.byteSize())).addLast(segment);
  }

  /** A segment that holds the elements of a payload. */
  MemorySegment filled(Payload payload) {
    MemorySegment segment = take(payload.bytes());
    copy(payload, segment, 0);
    return segment;
  }

  /** Elements of a payload into native memory. */
  static void copy(Payload from, MemorySegment to, long at) {
    Object array = from.array();
    int first = from.offset();
    int count = from.count();
    switch (from.type()) {
      case BOOLEAN -> {
        for (int i = 0; i < count; i++) {
          to.set(ValueLayout.JAVA_BOOLEAN, at + i, ((boolean[]) array)[first + i]);
        }
      }
      case BYTE, PACKED, OBJECT ->
          MemorySegment.copy(array, first, to, ValueLayout.JAVA_BYTE, at, count);
      case CHAR -> MemorySegment.copy(array, first, to, ValueLayout.JAVA_CHAR_UNALIGNED, at, count);
      case SHORT ->
          MemorySegment.copy(array, first, to, ValueLayout.JAVA_SHORT_UNALIGNED, at, count);
      case INT -> MemorySegment.copy(array, first, to, ValueLayout.JAVA_INT_UNALIGNED, at, count);
      case LONG -> MemorySegment.copy(array, first, to, ValueLayout.JAVA_LONG_UNALIGNED, at, count);
      case FLOAT ->
          MemorySegment.copy(array, first, to, ValueLayout.JAVA_FLOAT_UNALIGNED, at, count);
      case DOUBLE ->
          MemorySegment.copy(array, first, to, ValueLayout.JAVA_DOUBLE_UNALIGNED, at, count);
    }
  }

  /** The reverse of the other. */
  static void copy(MemorySegment from, long at, Payload to) {
    Object array = to.array();
    int first = to.offset();
    int count = to.count();
    switch (to.type()) {
      case BOOLEAN -> {
        for (int i = 0; i < count; i++) {
          ((boolean[]) array)[first + i] = from.get(ValueLayout.JAVA_BOOLEAN, at + i);
        }
      }
      case BYTE, PACKED, OBJECT ->
          MemorySegment.copy(from, ValueLayout.JAVA_BYTE, at, array, first, count);
      case CHAR ->
          MemorySegment.copy(from, ValueLayout.JAVA_CHAR_UNALIGNED, at, array, first, count);
      case SHORT ->
          MemorySegment.copy(from, ValueLayout.JAVA_SHORT_UNALIGNED, at, array, first, count);
      case INT -> MemorySegment.copy(from, ValueLayout.JAVA_INT_UNALIGNED, at, array, first, count);
      case LONG ->
          MemorySegment.copy(from, ValueLayout.JAVA_LONG_UNALIGNED, at, array, first, count);
      case FLOAT ->
          MemorySegment.copy(from, ValueLayout.JAVA_FLOAT_UNALIGNED, at, array, first, count);
      case DOUBLE ->
          MemorySegment.copy(from, ValueLayout.JAVA_DOUBLE_UNALIGNED, at, array, first, count);
    }
  }
}
