package org.reprise.trace.file;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;
import org.reprise.trace.inputs.InputsWriter;
import org.reprise.trace.order.OrderWriter;

/**
 * A rank file that is written while the rank lives, as the interposer writes it: through a shared
 * mapping, valid up to the last committed record at every instant, so that a killed process leaves
 * what it did. {@link OrderWriter} and {@link InputsWriter} are for files whose end is known. One
 * of which nobody knows yet whether it is wanted lies in memory; see {@link RankFiles}.
 *
 * <p>One thread at a time. Hot where runs of Java programs are recorded.
 */
public final class LiveRankFile {
  /** So many calls of a killed process may be missing in its counts. */
  public static final int CALLS_UNCOUNTED_MAX = 511;

  /** Small at first: ten thousand ranks have one each. */
  private static final int FIRST_SEGMENT_BYTES = 4 << 10;

  private static final int FIRST_MEMORY_BYTES = 1 << 10;

  private static final int SEGMENT_BYTES_MAX = 1 << 20;
  private static final int RECORD_BYTES_MAX = 64;
  private static final int CALLS_PER_STORE = CALLS_UNCOUNTED_MAX + 1;
  private static final int EVENTS_PER_STORE = 64;
  private static final VarHandle LONG =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final int CURRENT_CALL = HeaderField.CURRENT_CALL.offset;
  private static final int RECEIVES = HeaderField.RECEIVES.offset;
  private static final int HASH = HeaderField.HASH_EVEN.offset;
  private static final int EVENTS = HeaderField.EVENTS.offset;
  private static final int OUTCOMES = HeaderField.OUTCOMES.offset;
  private static final int COMMITTED = HeaderField.COMMITTED.offset;

  /** Null: it lies in memory. */
  private final @Nullable Path path;

  private final long[] callCounts = new long[Wire.CALLS_MAX];
  private long calls;
  private long receives;
  private long events;
  private long hash;
  private final ByteBuffer header;
  private ByteBuffer window;

  /** Where the next byte goes in the window, and its end. */
  private int at;

  private int limit;

  /** Bytes of records before the window. */
  private long before;

  private long allocated;
  private int segment = FIRST_SEGMENT_BYTES;
  private long records;
  private boolean full;
  private boolean closed;

  private LiveRankFile(@Nullable Path path, ByteBuffer header, ByteBuffer window, long allocated) {
    this.path = path;
    this.header = header.order(ByteOrder.LITTLE_ENDIAN);
    this.window = window.order(ByteOrder.LITTLE_ENDIAN);
    this.limit = window.limit();
    this.allocated = allocated;
  }

  /** Creates {@code file}, which must not exist; where there is no room for it, there is none. */
  public static LiveRankFile create(Path file, RankHeader header) throws IOException {
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    try {
      return begin(file, header);
    } catch (IOException e) {
      PrivateFiles.removeQuietly(file);
      throw e;
    }
  }

  private static LiveRankFile begin(Path file, RankHeader header) throws IOException {
    long bytes = Wire.HEADER_BYTES + FIRST_SEGMENT_BYTES;
    return uninterrupted(
        file,
        channel -> {
          allocate(channel, 0, bytes);
          ByteBuffer start = channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes);
          byte[] array = header.toArray();
          int magic = Wire.MAGIC.length();
          start.put(magic, array, magic, array.length - magic);
          // A file with the magic has a header, so it comes last.
          LONG.setRelease(start, 0, (long) LONG.get(ByteBuffer.wrap(array), 0));
          return new LiveRankFile(
              file,
              start.slice(0, Wire.HEADER_BYTES),
              start.slice(Wire.HEADER_BYTES, FIRST_SEGMENT_BYTES),
              bytes);
        });
  }

  /** One that lies in memory. */
  static LiveRankFile inMemory(RankHeader header) {
    return new LiveRankFile(
        null, ByteBuffer.wrap(header.toArray()), ByteBuffer.allocate(FIRST_MEMORY_BYTES), 0);
  }

  /** All that a file would have, of one that lies in memory. */
  byte[] contents() {
    byte[] all = new byte[Wire.HEADER_BYTES + at];
    header.get(0, all, 0, Wire.HEADER_BYTES);
    window.get(0, all, Wire.HEADER_BYTES, at);
    return all;
  }

  /** Something to do with the open file, which may be done twice. */
  private interface Step<T> {
    T with(FileChannel channel) throws IOException;
  }

  /**
   * An interrupt closes the channel that a thread is working on. Ranks are interrupted when their
   * job ends, and that is when they have the most to write.
   */
  private static <T> T uninterrupted(Path file, Step<T> step) throws IOException {
    boolean interrupted = false;
    try {
      while (true) {
        interrupted |= Thread.interrupted();
        try (FileChannel channel =
            FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
          return step.with(channel);
        } catch (ClosedByInterruptException e) {
          // Once more: the interrupt is remembered.
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Written, not left sparse: a full disk is met here, and not as a fault in the mapping. */
  private static void allocate(FileChannel channel, long from, long bytes) throws IOException {
    ByteBuffer zeros = ByteBuffer.allocate((int) bytes);
    while (zeros.hasRemaining()) {
      channel.write(zeros, from + zeros.position());
    }
  }

  public long get(HeaderField field) {
    return field.get(header);
  }

  public void put(HeaderField field, long value) {
    field.put(header, value);
  }

  public void add(HeaderField field, long more) {
    field.put(header, field.get(header) + more);
  }

  public void set(Wire.Flag flag) {
    put(HeaderField.FLAGS, get(HeaderField.FLAGS) | flag.bit());
  }

  /**
   * The rank enters this call. Hot: counts are kept on the heap and stored now and then, so those
   * of a killed process may be a little behind. Nothing depends on them but what a user is told.
   */
  public void enter(int call) {
    callCounts[call]++;
    if ((++calls & CALLS_PER_STORE - 1) == 0) {
      storeCounts();
    }
  }

  private void storeCounts() {
    for (int call = 0; call < Wire.CALLS_MAX; call++) {
      if (callCounts[call] != 0) {
        header.putLong(HeaderField.CALL_COUNTS_OFFSET + Long.BYTES * call, callCounts[call]);
      }
    }
    header.putLong(RECEIVES, receives);
  }

  /** The rank sleeps in this call, and may be killed there. */
  public void waitIn(int call) {
    storeHash();
    header.putInt(CURRENT_CALL, call + 1);
  }

  /** The rank does not wait any more. */
  public void goOn() {
    header.putInt(CURRENT_CALL, 0);
  }

  /** The rank has received a message. Hot. */
  public void received() {
    receives++;
  }

  /**
   * The order hash after so many events. Hot: a process that is killed while it runs leaves one
   * that is up to 64 events old, which is as good to compare with, and no event is lost but from
   * the comparison.
   */
  public void hash(long eventCount, long orderHash) {
    events = eventCount;
    hash = orderHash;
    if ((eventCount & EVENTS_PER_STORE - 1) == 0) {
      storeHash();
    }
  }

  /** Into the slot that is not in use, then the number. */
  private void storeHash() {
    header.putLong(HASH + (int) (events & 1) * Long.BYTES, hash);
    VarHandle.releaseFence();
    header.putLong(EVENTS, events);
  }

  /** Whether nothing is written any more because the file could not grow. */
  public boolean isFull() {
    return full;
  }

  /**
   * Makes room for a record and begins it. False if there is none: the record is to be left out.
   *
   * @param more bytes that it may take beyond what most records do
   */
  public boolean begin(int kind, long operand, int more) {
    if (full || closed) {
      return false;
    }
    if (limit - at < RECORD_BYTES_MAX + more && !grow(RECORD_BYTES_MAX + more)) {
      return false;
    }
    putByte(kind | Wire.inline(operand) << 4);
    if (operand >= Wire.INLINE) {
      operand((operand - Wire.INLINE) / 4);
    }
    return true;
  }

  /**
   * A whole record of one byte, as most are. False if it does not fit into one, or there is no
   * room: it is to be begun like the others. Hot.
   */
  public boolean single(int kind, int operand) {
    if (operand < 0 || operand >= Wire.INLINE || limit - at < RECORD_BYTES_MAX) {
      return false;
    }
    window.put(at++, (byte) (kind | operand << 4));
    commit();
    return true;
  }

  public void operand(long value) {
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      putByte((int) (rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    putByte((int) rest);
  }

  public void operand32(int value) {
    operand(Integer.toUnsignedLong(value));
  }

  public void zigzag(long value) {
    operand(value << 1 ^ value >> 63);
  }

  public void putByte(int value) {
    window.put(at++, (byte) value);
  }

  /** The record stands in the file; only now may a reader see it. */
  public void commit() {
    header.putLong(OUTCOMES, ++records);
    VarHandle.releaseFence();
    header.putLong(COMMITTED, before + at);
  }

  /**
   * Puts whole records behind the others, which a reader sees together or not at all. False if
   * there is no room: they are left out.
   */
  public boolean append(ByteBuffer bytes, int count) {
    int length = bytes.remaining();
    if (full || closed || (limit - at < length && !grow(length))) {
      return false;
    }
    window.put(at, bytes, bytes.position(), length);
    bytes.position(bytes.limit());
    at += length;
    records += count - 1;
    commit();
    return true;
  }

  /** The place of the next record, in bytes of records. */
  public long end() {
    return before + at;
  }

  /** Changes a number in a record that was appended; false if that record is out of reach. */
  public boolean change(long place, int value) {
    if (closed || place < before) {
      return false;
    }
    window.putInt((int) (place - before), value);
    return true;
  }

  private boolean grow(int least) {
    Path file = path;
    if (file == null) {
      ByteBuffer more = ByteBuffer.allocate(Math.max(2 * window.capacity(), at + least));
      window = more.put(0, window, 0, at).order(ByteOrder.LITTLE_ENDIAN);
      limit = window.limit();
      return true;
    }
    segment = Math.min(segment * 2, SEGMENT_BYTES_MAX);
    long used = before + at;
    long bytes = Math.max(segment, least);
    long place = Wire.HEADER_BYTES + used;
    try {
      window =
          uninterrupted(
              file,
              channel -> {
                allocate(channel, allocated, bytes);
                return channel
                    .map(FileChannel.MapMode.READ_WRITE, place, allocated + bytes - place)
                    .order(ByteOrder.LITTLE_ENDIAN);
              });
      allocated += bytes;
      before = used;
      at = 0;
      limit = window.limit();
      return true;
    } catch (IOException e) {
      full = true;
      set(Wire.Flag.DISK_FULL);
      return false;
    }
  }

  /** Nothing more comes: what was allocated and not used is given back. The header stays open. */
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    limit = at;
    storeCounts();
    storeHash();
    Path file = path;
    if (file == null) {
      return;
    }
    try {
      uninterrupted(file, channel -> channel.truncate(Wire.HEADER_BYTES + before + at));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
