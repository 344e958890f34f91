package org.reprise.trace.file;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.reprise.trace.TraceError;

/**
 * The committed bytes of one rank file, read from front to back. It reads through a buffer and not
 * through a mapping: a mapped file that somebody cuts off meanwhile kills the reader.
 */
public final class RecordBytes implements AutoCloseable {
  private static final int WINDOW_BYTES = 64 * 1024;

  private final Path file;
  private final @Nullable FileChannel channel;
  private final Wire.FileKind kind;
  private RankHeader header;
  private final ByteBuffer window;
  private long end;

  /** Where the file's own records end; what is committed behind them is the tail. */
  private long fileEnd;

  private byte[] tail;

  /** Where the tail begins, as far as it was read: what was shown before need not be read again. */
  private long tailStart;

  /** Of a live recording. */
  private @Nullable LiveRing ring;

  private long offset = Wire.HEADER_BYTES;
  private long recordOffset = Wire.HEADER_BYTES;

  private RecordBytes(
      Path file,
      @Nullable FileChannel channel,
      Wire.FileKind kind,
      RankHeader header,
      ByteBuffer window,
      byte[] tail) {
    this.window = window.order(ByteOrder.LITTLE_ENDIAN);
    this.tail = tail;
    this.file = file;
    this.channel = channel;
    this.kind = kind;
    this.header = header;
    this.end = Wire.HEADER_BYTES + header.committed();
    this.fileEnd = Wire.HEADER_BYTES + header.committedInFile();
    this.tailStart = fileEnd;
  }

  private static ByteBuffer emptyWindow() {
    return ByteBuffer.allocate(WINDOW_BYTES).limit(0);
  }

  /**
   * What would be in a file.
   *
   * @param file what it is called where something is wrong with it
   */
  public static RecordBytes of(byte[] contents, Path file, Wire.FileKind kind) {
    RankHeader header =
        RankHeader.parse(
            file, Arrays.copyOf(contents, Math.min(contents.length, Wire.HEADER_BYTES)), kind);
    if (header.committed() != contents.length - Wire.HEADER_BYTES) {
      throw TraceError.damaged(
          file,
          HeaderField.COMMITTED.offset,
          "%d bytes of records promised, %d there"
              .formatted(header.committed(), contents.length - Wire.HEADER_BYTES));
    }
    ByteBuffer records = ByteBuffer.wrap(contents).position(Wire.HEADER_BYTES);
    return new RecordBytes(file, null, kind, header, records, new byte[0]);
  }

  public static RecordBytes open(Path file, Wire.FileKind kind) {
    FileChannel channel = null;
    try {
      channel = RunFile.open(file);
      RankHeader header = readHeader(file, channel, kind);
      long present = channel.size() - Wire.HEADER_BYTES;
      if (header.committedInFile() > present) {
        throw new TraceError(
            file + " is cut off at byte " + channel.size(),
            "its header promises "
                + header.committedInFile()
                + " bytes of records, "
                + present
                + " are there",
            TraceError.fix(file));
      }
      Optional<byte[]> tail = tail(file, channel, header, kind, 0);
      if (tail.isEmpty()) {
        return open(file, kind);
      }
      RecordBytes bytes = new RecordBytes(file, channel, kind, header, emptyWindow(), tail.get());
      channel = null;
      return bytes;
    } catch (IOException e) {
      throw RunFile.unreadable(file, e);
    } finally {
      closeQuietly(channel);
    }
  }

  /** Takes what a rank of a live recording writes; what was taken is not kept. */
  public static RecordBytes take(Path file) {
    FileChannel channel = null;
    try {
      channel = RunFile.openToChange(file);
      RankHeader header = readHeader(file, channel, Wire.FileKind.LIVE);
      RecordBytes bytes =
          new RecordBytes(file, channel, Wire.FileKind.LIVE, header, emptyWindow(), new byte[0]);
      bytes.ring = LiveRing.open(file, channel, header);
      channel = null;
      return bytes;
    } catch (IOException e) {
      throw RunFile.unreadable(file, e);
    } finally {
      closeQuietly(channel);
    }
  }

  /**
   * Looks how far the rank has come meanwhile. What was shown stays behind; a rank that moves its
   * tail at this very moment is asked again.
   *
   * @return whether there is more to show
   */
  public boolean refresh() {
    try {
      FileChannel open = channel();
      RankHeader now = readHeader(file, open, kind);
      if (ring != null) {
        header = now;
        end = Wire.HEADER_BYTES + ring.committed();
        return !atEnd();
      }
      while (true) {
        long nowFileEnd = Wire.HEADER_BYTES + now.committedInFile();
        long start = Math.max(nowFileEnd, offset + window.remaining());
        Optional<byte[]> more = tail(file, open, now, kind, start - nowFileEnd);
        if (more.isPresent()) {
          header = now;
          end = Wire.HEADER_BYTES + now.committed();
          fileEnd = nowFileEnd;
          tailStart = start;
          tail = more.get();
          return !atEnd();
        }
        now = readHeader(file, open, kind);
      }
    } catch (IOException e) {
      throw RunFile.unreadable(file, e);
    }
  }

  /** What lies in memory never changes, and is all there. */
  private FileChannel channel() {
    FileChannel open = channel;
    if (open == null) {
      throw new IllegalStateException(file + " is no file");
    }
    return open;
  }

  static RankHeader readHeader(Path file, FileChannel channel, Wire.FileKind kind)
      throws IOException {
    return RankHeader.parse(file, headerBytes(channel), kind);
  }

  /** The tail; empty if the rank, which still writes, has moved it into the file meanwhile. */
  private static Optional<byte[]> tail(
      Path file, FileChannel channel, RankHeader header, Wire.FileKind kind, long from)
      throws IOException {
    TraceError unreadable = null;
    byte[] tail = {};
    try {
      tail = readTail(file, header, from);
      if (tail.length == 0) {
        return Optional.of(tail);
      }
    } catch (TraceError e) {
      unreadable = e;
    }
    RankHeader now = readHeader(file, channel, kind);
    if (now.get(HeaderField.TAIL_FROM) != header.get(HeaderField.TAIL_FROM)) {
      return Optional.empty();
    }
    if (unreadable != null) {
      throw unreadable;
    }
    return Optional.of(tail);
  }

  /** The last records of a rank that was killed while it wrote events, or writes still. */
  private static byte[] readTail(Path file, RankHeader header, long from) {
    int wanted = (int) (header.committed() - header.committedInFile() - from);
    if (wanted <= 0) {
      return new byte[0];
    }
    Path beside = Path.of(file.toString().replaceFirst("\\.events$", ".tail"));
    try (InputStream in = RunFile.stream(beside)) {
      in.skipNBytes(from);
      byte[] tail = in.readNBytes(wanted);
      if (tail.length < wanted) {
        throw new TraceError(
            beside + " is cut off at byte " + tail.length,
            "the header of " + file.getFileName() + " promises " + wanted + " bytes",
            TraceError.fix(beside));
      }
      return tail;
    } catch (IOException e) {
      throw RunFile.unreadable(beside, e);
    }
  }

  private static byte[] headerBytes(FileChannel channel) throws IOException {
    ByteBuffer start = ByteBuffer.allocate(Wire.HEADER_BYTES);
    int read;
    do {
      read = channel.read(start, start.position());
    } while (read > 0 && start.hasRemaining());
    return Arrays.copyOf(start.array(), start.position());
  }

  public RankHeader header() {
    return header;
  }

  public boolean atEnd() {
    return offset >= end;
  }

  public long remaining() {
    return end - offset;
  }

  /** Marks the next byte as the first of a record, so that errors can name it. */
  public long beginRecord() {
    recordOffset = offset;
    return recordOffset;
  }

  public TraceError damaged(String found) {
    return TraceError.damaged(file, recordOffset, found);
  }

  public int nextByte() {
    if (offset >= end) {
      throw damaged("the last record is cut off");
    }
    if (!window.hasRemaining()) {
      refill();
    }
    offset++;
    return window.get() & 0xff;
  }

  /** Four bytes as a number. */
  public int nextWord() {
    if (window.remaining() < Integer.BYTES) {
      return nextByte() | nextByte() << 8 | nextByte() << 16 | nextByte() << 24;
    }
    offset += Integer.BYTES;
    return window.getInt();
  }

  private void refill() {
    if (ring != null) {
      try {
        window.clear().limit((int) Math.min(WINDOW_BYTES, end - offset));
        ring.take(window, offset - Wire.HEADER_BYTES);
        window.flip();
      } catch (IOException e) {
        throw TraceError.unreadable(file, e);
      }
      return;
    }
    if (offset >= fileEnd) {
      int from = (int) (offset - tailStart);
      window.clear().put(tail, from, Math.min(WINDOW_BYTES, tail.length - from)).flip();
      return;
    }
    window.clear().limit((int) Math.min(WINDOW_BYTES, fileEnd - offset));
    try {
      while (window.position() == 0) {
        if (channel().read(window, offset) < 0) {
          throw damaged("the file became shorter while it was read");
        }
      }
    } catch (IOException e) {
      throw TraceError.unreadable(file, e);
    }
    window.flip();
  }

  /** The first operand of a record, of which the first byte's high half holds the beginning. */
  public long firstOperand(int firstByte) {
    int inline = firstByte >>> 4;
    if (inline < Wire.INLINE) {
      return inline;
    }
    long rest = operand();
    if (rest > (Long.MAX_VALUE - inline) / 4) {
      throw damaged("an operand does not fit into 63 bits");
    }
    return inline + rest * 4;
  }

  /** A LEB128 number below 2^63. */
  public long operand() {
    long value = operand64();
    if (value < 0) {
      throw damaged("an operand does not fit into 63 bits");
    }
    return value;
  }

  /** A C int, of either sign, which is written as the 32 bits it is. */
  public int operand32(String what) {
    long value = operand();
    if (value > 0xffff_ffffL) {
      throw damaged(what + " " + value + " is impossible");
    }
    return (int) value;
  }

  public int toInt(long value, String what) {
    if (value > Integer.MAX_VALUE) {
      throw damaged(what + " " + value + " is impossible");
    }
    return (int) value;
  }

  /** A zigzag number: small differences of either sign are short. */
  public long zigzag() {
    long value = operand64();
    return (value >>> 1) ^ -(value & 1);
  }

  private long operand64() {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      int next = nextByte();
      long bits = next & 0x7f;
      if (shift == 63 && bits > 1) {
        throw damaged("an operand does not fit into 64 bits");
      }
      value |= bits << shift;
      if ((next & 0x80) == 0) {
        return value;
      }
    }
    throw damaged("an operand is longer than ten bytes");
  }

  @Override
  public void close() {
    if (ring != null) {
      ring.close();
    }
    closeQuietly(channel);
  }

  private static void closeQuietly(@Nullable FileChannel channel) {
    try {
      if (channel != null) {
        channel.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
