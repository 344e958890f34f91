package org.reprise.trace.file;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Writes records behind a header, and the header last: the counterpart of {@link RecordBytes}. */
public final class RecordSink implements AutoCloseable {
  private final FileChannel channel;
  private final ByteBuffer window = ByteBuffer.allocate(64 * 1024);
  private RankHeader header;
  private long committed;
  private long records;

  public RecordSink(Path file, RankHeader header) {
    this.header = header;
    try {
      this.channel =
          FileChannel.open(
              file,
              Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      channel.position(Wire.HEADER_BYTES);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public void begin(int kind, long operand) {
    requireNotNegative(operand);
    records++;
    putByte(kind | Wire.inline(operand) << 4);
    if (operand >= Wire.INLINE) {
      operand((operand - Wire.INLINE) / 4);
    }
  }

  /** Begins a record that has no head of kind and operand. */
  public void beginFixed() {
    records++;
  }

  public void operand(long value) {
    requireNotNegative(value);
    operand64(value);
  }

  public void operand32(int value) {
    operand64(Integer.toUnsignedLong(value));
  }

  public void zigzag(long value) {
    operand64((value << 1) ^ (value >> 63));
  }

  private void operand64(long value) {
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      putByte((int) (rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    putByte((int) rest);
  }

  public void putByte(int value) {
    if (!window.hasRemaining()) {
      flush();
    }
    window.put((byte) value);
    committed++;
  }

  /** Makes sure that a number in the header is this high at least. */
  public void raise(HeaderField field, long value) {
    if (header.get(field) < value) {
      header = header.with(field, value);
    }
  }

  private static void requireNotNegative(long operand) {
    if (operand < 0) {
      throw new IllegalArgumentException("an operand is not negative: " + operand);
    }
  }

  private void flush() {
    window.flip();
    try {
      while (window.hasRemaining()) {
        channel.write(window);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    window.clear();
  }

  @Override
  public void close() {
    try (channel) {
      flush();
      header = header.with(HeaderField.COMMITTED, committed).with(HeaderField.OUTCOMES, records);
      ByteBuffer bytes = ByteBuffer.wrap(header.toArray());
      while (bytes.hasRemaining()) {
        channel.write(bytes, bytes.position());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
