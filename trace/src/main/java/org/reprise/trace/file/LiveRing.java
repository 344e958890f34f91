package org.reprise.trace.file;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import org.reprise.trace.TraceError;

/**
 * Where a rank of a live recording puts its events, seen by the one who takes them: a ring, and
 * behind the header of the rank's file what did not fit into it. One writer and one reader, no
 * lock: the rank says how far it has committed, the reader how far it has taken, and each waits
 * only for the other's number.
 */
final class LiveRing implements AutoCloseable {
  private static final VarHandle LONG =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final Path file;
  private final FileChannel spilled;
  private final FileChannel ring;
  private final MappedByteBuffer header;
  private final long bytes;

  private LiveRing(
      Path file, FileChannel spilled, FileChannel ring, MappedByteBuffer header, long bytes) {
    this.file = file;
    this.spilled = spilled;
    this.ring = ring;
    this.header = header;
    this.bytes = bytes;
  }

  static LiveRing open(Path file, FileChannel spilled, RankHeader known) throws IOException {
    Path beside = Path.of(file.toString().replaceFirst("\\.live$", ".ring"));
    MappedByteBuffer header = spilled.map(FileChannel.MapMode.READ_WRITE, 0, Wire.HEADER_BYTES);
    return new LiveRing(
        file, spilled, RunFile.open(beside), header, known.get(HeaderField.RING_BYTES));
  }

  private long get(HeaderField field) {
    return (long) LONG.getAcquire(header, field.offset);
  }

  long committed() {
    return get(HeaderField.COMMITTED);
  }

  /**
   * Reads committed bytes from this place on, as many as the window has room for or stand together,
   * and tells the rank that it need not keep them.
   */
  void take(ByteBuffer window, long from) throws IOException {
    int most = window.limit();
    while (true) {
      // This before file_from: the rank stores them the other way round.
      long fileEnd = get(HeaderField.TAIL_FROM) - 1;
      window.clear();
      if (from < fileEnd) {
        long place = Wire.HEADER_BYTES + from - get(HeaderField.FILE_FROM);
        fill(window.limit((int) Math.min(most, fileEnd - from)), spilled, place);
        break;
      }
      long place = from % bytes;
      fill(window.limit((int) Math.min(most, bytes - place)), ring, place);
      VarHandle.fullFence();
      if (from >= get(HeaderField.TAIL_FROM) - 1) {
        break;
      }
      // The rank moved them into the file meanwhile, and may have written others in their place.
    }
    LONG.setRelease(header, HeaderField.TAKEN.offset, from + window.position());
  }

  private void fill(ByteBuffer window, FileChannel channel, long place) throws IOException {
    while (window.hasRemaining()) {
      if (channel.read(window, place + window.position()) < 0) {
        throw TraceError.damaged(file, place, "the file became shorter while it was read");
      }
    }
  }

  @Override
  public void close() {
    try {
      ring.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
