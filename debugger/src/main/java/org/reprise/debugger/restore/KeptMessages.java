package org.reprise.debugger.restore;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntToLongFunction;
import org.reprise.trace.TraceError;

/**
 * The messages that the controlled re-execution has kept, in the files of their senders. Each is
 * sealed: what is not what was written is refused.
 */
final class KeptMessages {
  private static final int SEAL_BYTES = 16;

  private record Kept(Packet.Head head, Path file, long place, long seal) {}

  private final List<Kept> all = new ArrayList<>();

  private KeptMessages() {}

  static KeptMessages in(Path directory, int ranks) throws IOException {
    KeptMessages kept = new KeptMessages();
    for (int rank = 0; rank < ranks; rank++) {
      Path file = directory.resolve("rank-" + rank + ".sent");
      if (Files.exists(file)) {
        kept.add(file, rank, ranks);
      }
    }
    return kept;
  }

  private void add(Path file, int rank, int ranks) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      long place = 0;
      while (channel.size() - place >= Packet.HEAD_BYTES + SEAL_BYTES) {
        ByteBuffer bytes = read(channel, place, Packet.HEAD_BYTES);
        ByteBuffer seal =
            read(channel, place + Packet.HEAD_BYTES, SEAL_BYTES).order(ByteOrder.nativeOrder());
        requireSealed(file, place, bytes, seal.getLong());
        Packet.Head head = Packet.Head.of(bytes);
        place += Packet.HEAD_BYTES + SEAL_BYTES;
        if (head.rank() != rank || head.peer() < 0 || head.peer() >= ranks) {
          throw damaged(String.valueOf(file.getFileName()), "a message of rank " + head.rank());
        }
        if (channel.size() - place < head.bytes()) {
          break; // The rank was killed while it wrote this.
        }
        all.add(new Kept(head, file, place, seal.getLong()));
        place += head.bytes();
      }
    }
  }

  private static void requireSealed(Path file, long place, ByteBuffer bytes, long seal) {
    if (Seal.of(bytes) != seal) {
      throw damaged(
          String.valueOf(file.getFileName()), "at byte %d not what was written".formatted(place));
    }
  }

  /** A file is not what a rank has kept. */
  static TraceError damaged(String file, String found) {
    return new TraceError(
        "what was kept for checkpoints is damaged: " + file,
        found,
        "go there again: that replays from the start");
  }

  private static ByteBuffer read(FileChannel channel, long from, int count) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(count);
    while (buffer.hasRemaining()) {
      if (channel.read(buffer, from + buffer.position()) < 0) {
        throw new EOFException();
      }
    }
    return buffer.flip();
  }

  /**
   * What was sent before the checkpoints of the senders, and not received before those of the
   * receivers.
   *
   * @param marks in which call each rank begins
   */
  List<Packet> inTransit(IntToLongFunction marks, List<Received> received) throws IOException {
    List<Packet> packets = new ArrayList<>();
    for (Kept one : all) {
      Packet.Head head = one.head;
      if (head.call() < marks.applyAsLong(head.rank())
          && !received.get(head.peer()).has(head.rank(), head.comm(), head.tag(), head.number())) {
        try (FileChannel channel = FileChannel.open(one.file, StandardOpenOption.READ)) {
          ByteBuffer bytes = read(channel, one.place, (int) head.bytes());
          requireSealed(one.file, one.place, bytes, one.seal);
          packets.add(head.with(bytes));
        }
      }
    }
    return packets;
  }
}
