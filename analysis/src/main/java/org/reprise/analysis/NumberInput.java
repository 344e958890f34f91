package org.reprise.analysis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.reprise.causality.columns.NumberReader;

/**
 * Takes back what a {@link NumberOutput} wrote. A length is never believed beyond what there is to
 * read: whoever damages a file makes it fail, not take all memory.
 */
final class NumberInput implements NumberReader {
  private static final int BUFFER_BYTES = 1 << 16;

  private final InputStream in;
  private final ByteBuffer buffer =
      ByteBuffer.allocate(BUFFER_BYTES).order(ByteOrder.LITTLE_ENDIAN).limit(0);

  /** Bytes that were not yet taken. */
  private long left;

  /**
   * Numbers from a stream.
   *
   * @param bytes how many there are
   */
  NumberInput(InputStream in, long bytes) {
    this.in = in;
    left = bytes;
  }

  @Override
  public long number() {
    need(Long.BYTES);
    return buffer.getLong();
  }

  @Override
  public int[] ints() {
    int[] values = new int[length(Integer.BYTES)];
    for (int done = 0; done < values.length; ) {
      int some = available(Integer.BYTES, values.length - done);
      buffer.asIntBuffer().get(values, done, some);
      buffer.position(buffer.position() + some * Integer.BYTES);
      done += some;
    }
    return values;
  }

  @Override
  public char[] chars() {
    char[] values = new char[length(Character.BYTES)];
    for (int done = 0; done < values.length; ) {
      int some = available(Character.BYTES, values.length - done);
      buffer.asCharBuffer().get(values, done, some);
      buffer.position(buffer.position() + some * Character.BYTES);
      done += some;
    }
    return values;
  }

  @Override
  public long[] longs() {
    long[] values = new long[length(Long.BYTES)];
    for (int done = 0; done < values.length; ) {
      int some = available(Long.BYTES, values.length - done);
      buffer.asLongBuffer().get(values, done, some);
      buffer.position(buffer.position() + some * Long.BYTES);
      done += some;
    }
    return values;
  }

  @Override
  public int length(int bytesEach) {
    long length = number();
    if (length < 0 || length > Integer.MAX_VALUE - 8 || length * bytesEach > left) {
      throw new IllegalStateException(length + " numbers, where " + left + " bytes are left");
    }
    return (int) length;
  }

  /** Whether everything was taken. */
  boolean isAtEnd() {
    return left == 0;
  }

  /** Sees to it that some values can be taken from the buffer at once; how many. */
  private int available(int bytesEach, int wanted) {
    if (buffer.remaining() < bytesEach) {
      left -= bytesEach;
      refill(bytesEach);
      left += bytesEach;
    }
    int some = Math.min(wanted, buffer.remaining() / bytesEach);
    left -= (long) some * bytesEach;
    return some;
  }

  private void need(int bytes) {
    left -= bytes;
    if (left < 0) {
      throw new IllegalStateException("nothing is left");
    }
    if (buffer.remaining() < bytes) {
      refill(bytes);
    }
  }

  private void refill(int bytes) {
    try {
      buffer.compact();
      while (buffer.position() < bytes) {
        int most = (int) Math.min(buffer.remaining(), left + bytes - buffer.position());
        int got = in.read(buffer.array(), buffer.position(), most);
        if (got < 0) {
          throw new IllegalStateException("cut short");
        }
        buffer.position(buffer.position() + got);
      }
      buffer.flip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
