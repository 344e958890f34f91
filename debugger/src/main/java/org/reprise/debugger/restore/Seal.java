package org.reprise.debugger.restore;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** What shows that bytes are those that were written: {@code reprise_seal_of}. */
final class Seal {
  private static final long FACTOR = 0x9E3779B97F4A7C15L;

  static long of(ByteBuffer of) {
    ByteBuffer bytes = of.duplicate().order(ByteOrder.nativeOrder());
    long count = bytes.remaining();
    long hash = 1;
    while (bytes.remaining() >= Long.BYTES) {
      hash = mix(hash, bytes.getLong());
    }
    if (bytes.hasRemaining()) {
      hash =
          mix(
              hash,
              ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder()).put(bytes).getLong(0));
    }
    return mix(hash, count);
  }

  private static long mix(long hash, long value) {
    long mixed = (hash ^ value) * FACTOR;
    return mixed ^ (mixed >>> 32);
  }

  private Seal() {}
}
