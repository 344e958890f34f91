package org.reprise.ranks.libmpi;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashMap;
import java.util.Map;
import org.reprise.ranks.fabric.BasicType;
import org.reprise.ranks.fabric.Payload;

/**
 * Messages whose length the receiver does not know: serialised objects. A receive must be posted
 * before it can ask, so every such message is short: its length, and either the bytes or the tag
 * under which they come. The bytes of a long one travel on a communicator of the world that nobody
 * else uses, where a wildcard of the program cannot take them.
 */
final class ObjectMessages {
  private static final int HEAD = 8;
  private static final int SHORT_BYTES = 16 * 1024;

  /** A message to post a receive for. */
  static final int ROOM = HEAD + SHORT_BYTES;

  /** Tags go at least as far. More long objects than that are not under way between two ranks. */
  private static final int TAGS = 32768;

  private final Segments segments;
  private final Unattended unattended;
  private final long bodies;
  private final Map<Integer, Integer> sent = new HashMap<>();
  private final long bytes = Calls.family().datatype(BasicType.OBJECT);
  private final MemorySegment status;

  ObjectMessages(Segments segments, Unattended unattended, long bodies, MemorySegment status) {
    this.segments = segments;
    this.unattended = unattended;
    this.bodies = bodies;
    this.status = status;
  }

  /** The message that announces objects or is them; a long body is on its way already. */
  MemorySegment announce(NativeComm comm, int dest, Payload payload) {
    MemorySegment message = segments.take(ROOM);
    message.set(ValueLayout.JAVA_INT, 0, payload.count());
    if (isShort(payload.count())) {
      Segments.copy(payload, message, HEAD);
    } else {
      int world = comm.worldRankOfPeer(dest);
      int tag = sent.merge(world, 1, (before, one) -> (before + one) % TAGS);
      message.set(ValueLayout.JAVA_INT, 4, tag);
      unattended.send(segments.filled(payload), payload.count(), bytes, world, tag, bodies);
    }
    return message;
  }

  static int announcedBytes(Payload payload) {
    return isShort(payload.count()) ? HEAD + payload.count() : HEAD;
  }

  /** What a message announced or was. */
  Payload take(NativeComm comm, int source, MemorySegment message) {
    int length = message.get(ValueLayout.JAVA_INT, 0);
    Payload payload = new Payload(BasicType.OBJECT, new byte[length], 0, length);
    if (isShort(length)) {
      Segments.copy(message, HEAD, payload);
      return payload;
    }
    int tag = message.get(ValueLayout.JAVA_INT, 4);
    MemorySegment body = segments.take(length);
    Calls.transfer(
        Calls.RECV, body, length, bytes, comm.worldRankOfPeer(source), tag, bodies, status);
    Segments.copy(body, 0, payload);
    segments.give(body);
    return payload;
  }

  private static boolean isShort(int length) {
    return length <= SHORT_BYTES;
  }
}
