package mpi;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.reprise.ranks.fabric.BasicType;
import org.reprise.ranks.fabric.Payload;

/**
 * Messages packed by hand: elements of several types in one array of bytes, in the machine's own
 * order as libmpi has them. Serialised objects are preceded by their length.
 */
final class Packing {
  private Packing() {}

  /** Enough bytes for so many items; of objects nobody knows. */
  static int size(String call, int count, Datatype type) {
    Misuse.unless(count >= 0, call, "the count is negative: ", count);
    Misuse.unless(
        type.basic != Basic.OBJECT,
        call,
        "the size of objects is known only when they are packed",
        "");
    return Math.multiplyExact(count, type.getByteSize());
  }

  /** How many bytes a payload takes. */
  static int bytes(Payload payload) {
    return Math.toIntExact(payload.bytes())
        + (payload.type() == BasicType.OBJECT ? Integer.BYTES : 0);
  }

  /** Writes a payload to a position; returns the next position. */
  static int pack(Payload payload, byte[] outbuf, int position) {
    int bytes = bytes(payload);
    Misuse.unless(
        position >= 0 && position + bytes <= outbuf.length,
        "Pack",
        "the buffer has " + outbuf.length + " bytes; the call writes to bytes ",
        position + " to " + (position + bytes - 1));
    ByteBuffer to = ByteBuffer.wrap(outbuf).order(ByteOrder.nativeOrder()).position(position);
    if (payload.type() == BasicType.OBJECT) {
      to.putInt(payload.count()).put((byte[]) payload.array(), payload.offset(), payload.count());
    } else {
      Basic.of(payload.type()).put(payload.array(), payload.offset(), payload.count(), to);
    }
    return position + bytes;
  }

  /** Fills an area from a position on; returns the next position. */
  static int unpack(byte[] inbuf, int position, Area area) {
    Basic basic = area.type.basic;
    requireBytes(inbuf, position, basic == Basic.OBJECT ? Integer.BYTES : 0);
    ByteBuffer from = ByteBuffer.wrap(inbuf).order(ByteOrder.nativeOrder()).position(position);
    if (basic == Basic.OBJECT) {
      int bytes = from.getInt();
      requireBytes(inbuf, from.position(), bytes);
      area.acceptObjects(
          Serial.objects("Unpack", new Payload(BasicType.OBJECT, inbuf, from.position(), bytes)));
      return from.position() + bytes;
    }
    Payload room = area.room();
    requireBytes(inbuf, position, Math.toIntExact(room.bytes()));
    if (basic != null) {
      basic.get(from, room.array(), room.offset(), room.count());
      area.acceptPacked(room, room.count());
    }
    return from.position();
  }

  private static void requireBytes(byte[] packed, int position, int bytes) {
    Misuse.unless(
        position >= 0 && bytes >= 0 && position <= packed.length - bytes,
        "Unpack",
        "the buffer has " + packed.length + " bytes; the call reads bytes ",
        position + " to " + (position + bytes - 1));
  }
}
