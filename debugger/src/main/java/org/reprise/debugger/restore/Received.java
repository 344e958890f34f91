package org.reprise.debugger.restore;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Which messages a rank had received at its checkpoint. By their tags later messages may be
 * received first, and receives that were begun may be open: it is a set, not so many of each
 * sender.
 */
final class Received {
  private static final int ENTRY_BYTES = 24;

  /** Messages of one sender with one communicator and tag. */
  private record Channel(long comm, int peer, int tag) {}

  private record Message(Channel channel, long number) {}

  private final Map<Channel, Long> begun = new HashMap<>();
  private final Set<Message> open = new HashSet<>();
  private boolean all;

  /** Of a rank that is not there: nobody sends it anything. */
  static Received everything() {
    Received received = new Received();
    received.all = true;
    return received;
  }

  /** As a rank says it when it has been restored. */
  static Received of(Packet hello) {
    Received received = new Received();
    ByteBuffer bytes = hello.bytes().duplicate().order(ByteOrder.nativeOrder());
    for (long i = 0; bytes.remaining() >= ENTRY_BYTES; i++) {
      Channel channel = new Channel(bytes.getLong(), bytes.getInt(), bytes.getInt());
      long number = bytes.getLong();
      if (i < hello.number()) {
        received.begun.put(channel, number);
      } else {
        received.open.add(new Message(channel, number));
      }
    }
    return received;
  }

  boolean has(int sender, long comm, int tag, long number) {
    Channel channel = new Channel(comm, sender, tag);
    return all
        || number < begun.getOrDefault(channel, 0L) && !open.contains(new Message(channel, number));
  }
}
