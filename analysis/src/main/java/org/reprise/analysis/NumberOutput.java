package org.reprise.analysis;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.reprise.causality.columns.NumberWriter;

/** Numbers written one behind the other, in bulk; {@link NumberInput} takes them back. */
final class NumberOutput implements NumberWriter {
  private static final int BUFFER_BYTES = 1 << 16;

  private final OutputStream out;
  private final ByteBuffer buffer =
      ByteBuffer.allocate(BUFFER_BYTES).order(ByteOrder.LITTLE_ENDIAN);

  NumberOutput(OutputStream out) {
    this.out = out;
  }

  @Override
  public void number(long value) {
    room(Long.BYTES);
    buffer.putLong(value);
  }

  @Override
  public void ints(int[] values) {
    number(values.length);
    for (int done = 0; done < values.length; ) {
      room(Integer.BYTES);
      int some = Math.min(values.length - done, buffer.remaining() / Integer.BYTES);
      buffer.asIntBuffer().put(values, done, some);
      buffer.position(buffer.position() + some * Integer.BYTES);
      done += some;
    }
  }

  @Override
  public void chars(char[] values) {
    number(values.length);
    for (int done = 0; done < values.length; ) {
      room(Character.BYTES);
      int some = Math.min(values.length - done, buffer.remaining() / Character.BYTES);
      buffer.asCharBuffer().put(values, done, some);
      buffer.position(buffer.position() + some * Character.BYTES);
      done += some;
    }
  }

  @Override
  public void longs(long[] values) {
    number(values.length);
    for (int done = 0; done < values.length; ) {
      room(Long.BYTES);
      int some = Math.min(values.length - done, buffer.remaining() / Long.BYTES);
      buffer.asLongBuffer().put(values, done, some);
      buffer.position(buffer.position() + some * Long.BYTES);
      done += some;
    }
  }

  private void room(int bytes) {
    if (buffer.remaining() < bytes) {
      flush();
    }
  }

  /** Hands everything on that was written so far. */
  void flush() {
    try {
      out.write(buffer.array(), 0, buffer.position());
      buffer.clear();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
