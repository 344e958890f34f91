package mpi;

import java.lang.reflect.Array;
import org.reprise.ranks.BasicType;
import org.reprise.ranks.Payload;
import org.reprise.ranks.Received;

/**
 * The part of a program's array that a call names: so many items of a datatype from an offset on.
 * It knows how these become the contiguous payload of a message and back. Where they are contiguous
 * already, the payload is a view of the program's array and nothing is copied.
 */
final class Area {
  private final String call;
  private final Object buffer;
  private final int offset;
  final int count;
  final Datatype type;

  private Area(String call, Object buffer, int offset, int count, Datatype type) {
    this.call = call;
    this.buffer = buffer;
    this.offset = offset;
    this.count = count;
    this.type = type;
  }

  /** Checks what the program passed. */
  static Area of(String call, Object buffer, int offset, int count, Datatype type) {
    if (count < 0) {
      throw Misuse.error(call, "the count is negative: ", count);
    }
    if (type == null) {
      throw Misuse.error(call, "there is no datatype: ", null);
    }
    if (buffer instanceof mpjbuf.Buffer packed) {
      packed.reserve(offset + count);
      buffer = packed.bytes();
    }
    if (count > 0 && type.layout.size > 0) {
      check(call, buffer, offset, count, type);
    }
    return new Area(call, buffer, offset, count, type);
  }

  private static void check(String call, Object buffer, int offset, int count, Datatype type) {
    if (buffer == null) {
      throw Misuse.error(call, "there is no buffer: ", null);
    }
    if (!type.basic.isHeldBy(buffer)) {
      throw Misuse.error(
          call,
          "the datatype is MPI."
              + type.basic
              + ", so the buffer is "
              + type.basic.arrayName()
              + "; found: ",
          buffer.getClass().getSimpleName());
    }
    int length = Array.getLength(buffer);
    long first = offset + type.layout.first(count, type.Extent());
    long end = offset + type.layout.end(count, type.Extent());
    if (first < 0 || end > length) {
      throw Misuse.error(
          call,
          "the buffer has " + length + " elements; the call names elements ",
          first + " to " + (end - 1));
    }
  }

  int elements() {
    return Math.multiplyExact(count, type.layout.size);
  }

  /** The payload of a message that is sent from here. */
  Payload outgoing() {
    if (type.basic == null || count == 0) {
      return type.basic == null ? Payload.EMPTY : nothing();
    }
    if (type.basic == Basic.OBJECT) {
      byte[] bytes = Serial.bytes(call, objects());
      return new Payload(BasicType.OBJECT, bytes, 0, bytes.length);
    }
    return type.contiguous ? view() : packed();
  }

  /** Where a message that is received here goes first; null: to be handed over, for objects. */
  Payload room() {
    if (type.basic == null) {
      return Payload.EMPTY;
    }
    if (type.basic == Basic.OBJECT) {
      return null;
    }
    return count == 0
        ? nothing()
        : type.contiguous
            ? view()
            : new Payload(type.basic.wire, type.basic.allocate(elements()), 0, elements());
  }

  private Payload nothing() {
    return new Payload(
        type.basic.wire, type.basic == Basic.OBJECT ? new byte[0] : type.basic.allocate(0), 0, 0);
  }

  private Payload view() {
    return new Payload(type.basic.wire, buffer, offset, elements());
  }

  private Payload packed() {
    Object array = type.basic.allocate(elements());
    type.layout.gather(buffer, offset, count, type.Extent(), array, 0);
    return new Payload(type.basic.wire, array, 0, elements());
  }

  /** The objects of this area, without gaps. */
  Object[] objects() {
    Object[] objects = new Object[elements()];
    type.layout.gather(buffer, offset, count, type.Extent(), objects, 0);
    return objects;
  }

  /** Puts what a receive brought where the program wants it. */
  Status accept(Received received, Payload room) {
    int elements = received.count();
    if (type.basic == Basic.OBJECT) {
      Payload payload = received.payload();
      elements = payload == null ? 0 : acceptObjects(Serial.objects(call, payload));
    } else if (type.basic != null) {
      acceptPacked(room, (int) (received.bytes() / type.basic.bytes));
    }
    return Status.of(received, elements);
  }

  /** Spreads packed elements over the items of this area, unless they are there already. */
  @SuppressWarnings("ReferenceEquality") // The very array that the program passed, or another one.
  void acceptPacked(Payload packed, int elements) {
    if (packed.array() != buffer) {
      type.layout.scatter(packed.array(), packed.offset(), elements, buffer, offset, type.Extent());
    }
  }

  int acceptObjects(Object[] objects) {
    if (objects.length > elements()) {
      throw Misuse.error(
          call,
          "the message has more objects than the " + elements() + " that there is room for: ",
          objects.length);
    }
    try {
      type.layout.scatter(objects, 0, objects.length, buffer, offset, type.Extent());
    } catch (ArrayStoreException e) {
      throw Misuse.error(
          call,
          "an object does not fit into " + buffer.getClass().getSimpleName() + ": ",
          e.getMessage());
    }
    return objects.length;
  }
}
