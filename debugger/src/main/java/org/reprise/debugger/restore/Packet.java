package org.reprise.debugger.restore;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ReadableByteChannel;
import org.reprise.trace.file.Wire;

/**
 * What checkpoints, restored ranks and the hub say to each other: {@code struct reprise_packet} of
 * reprise_wire.h, and the bytes behind it.
 *
 * @param rank who says it
 * @param peer of a message, its receiver; from the hub, its sender
 */
record Packet(
    Wire.PacketKind kind,
    int rank,
    int peer,
    int tag,
    long comm,
    long number,
    long call,
    ByteBuffer bytes) {
  static final int HEAD_BYTES = 48;

  /** More than a rank could have said in one packet, and than an array holds. */
  private static final long BYTES_MAX = Integer.MAX_VALUE - 64;

  private static final int FIRST_BYTES = 1 << 20;

  /** What a packet says without its bytes, and how many there are. */
  record Head(
      Wire.PacketKind kind,
      int rank,
      int peer,
      int tag,
      long comm,
      long number,
      long call,
      long bytes) {
    static Head of(ByteBuffer from) throws IOException {
      ByteBuffer head = from.duplicate().order(ByteOrder.nativeOrder());
      int kind = head.getInt();
      if (kind <= 0 || kind >= Wire.PacketKind.values().length) {
        throw new IOException("no packet: kind " + kind);
      }
      Head read =
          new Head(
              Wire.PacketKind.values()[kind],
              head.getInt(),
              head.getInt(),
              head.getInt(),
              head.getLong(),
              head.getLong(),
              head.getLong(),
              head.getLong());
      if (read.bytes < 0 || read.bytes > BYTES_MAX || read.rank < 0) {
        throw new IOException("no packet: %d bytes of rank %d".formatted(read.bytes, read.rank));
      }
      return read;
    }

    Packet with(ByteBuffer bytes) {
      return new Packet(kind, rank, peer, tag, comm, number, call, bytes);
    }
  }

  /** The next packet of a rank, which is untrusted. */
  static Packet read(ReadableByteChannel channel) throws IOException {
    Head head = Head.of(fill(channel, HEAD_BYTES));
    return head.with(fill(channel, (int) head.bytes()));
  }

  /** Takes memory as the bytes come: how many there will be is only claimed. */
  private static ByteBuffer fill(ReadableByteChannel channel, int count) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(Math.min(count, FIRST_BYTES));
    while (true) {
      while (buffer.hasRemaining()) {
        if (channel.read(buffer) < 0) {
          throw new EOFException();
        }
      }
      if (buffer.capacity() == count) {
        return buffer.flip();
      }
      long twice = Math.min(2L * buffer.capacity(), count);
      buffer = ByteBuffer.allocate((int) twice).put(buffer.flip());
    }
  }

  /** As it is written. */
  ByteBuffer[] encoded() {
    ByteBuffer head =
        ByteBuffer.allocate(HEAD_BYTES)
            .order(ByteOrder.nativeOrder())
            .putInt(kind.ordinal())
            .putInt(rank)
            .putInt(peer)
            .putInt(tag)
            .putLong(comm)
            .putLong(number)
            .putLong(call)
            .putLong(bytes.remaining())
            .flip();
    return new ByteBuffer[] {head, bytes.duplicate()};
  }

  /** The same message, as its receiver gets it. */
  Packet delivered() {
    return new Packet(kind, /* rank= */ peer, /* peer= */ rank, tag, comm, number, call, bytes);
  }
}
