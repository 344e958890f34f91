package mpi;

import org.reprise.ranks.fabric.BasicType;
import org.reprise.ranks.fabric.Payload;
import org.reprise.ranks.fabric.Received;

/**
 * The part of a program's buffer that a call names: so many items of a datatype from an offset on.
 * It knows how these become the contiguous payload of a message and back. Where they are contiguous
 * in an array already, the payload is a view of it and nothing is copied.
 */
final class Area {
  private final String call;

  /** Null of an area without elements. */
  private final Memory memory;

  private final int offset;
  final int count;
  final Datatype type;

  /** Of packed elements: what they are packed in; otherwise null. */
  private mpjbuf.Buffer packed;

  private Area(String call, Memory memory, int offset, int count, Datatype type) {
    this.call = call;
    this.memory = memory;
    this.offset = offset;
    this.count = count;
    this.type = type;
  }

  /** Checks what the program passed. */
  static Area of(String call, Object buffer, int offset, int count, Datatype type) {
    if (count < 0) {
      throw Misuse.error(MPI.ERR_COUNT, call, "the count is negative: ", count);
    }
    if (type == null) {
      throw Misuse.error(MPI.ERR_TYPE, call, "there is no datatype: ", null);
    }
    if (buffer instanceof mpjbuf.Buffer packed) {
      packed.reserve(Math.addExact(offset, count));
      Area area = of(call, packed.bytes(), offset, count, type);
      area.packed = packed;
      return area;
    }
    Memory memory =
        count > 0 && type.layout.size > 0 ? checked(call, buffer, offset, count, type) : null;
    return new Area(call, memory, offset, count, type);
  }

  private static Memory checked(String call, Object buffer, int offset, int count, Datatype type) {
    if (buffer == null) {
      throw Misuse.error(MPI.ERR_BUFFER, call, "there is no buffer: ", null);
    }
    Memory memory = Memory.of(buffer, type.basic);
    if (memory == null) {
      throw Misuse.error(
          MPI.ERR_TYPE,
          call,
          "the datatype is MPI."
              + type.basic
              + ", so the buffer is "
              + type.basic.arrayName()
              + "; found: ",
          buffer.getClass().getSimpleName());
    }
    int length = memory.length();
    long first = offset + type.layout.first(count, type.Extent());
    long end = offset + type.layout.end(count, type.Extent());
    if (first < 0 || end > length) {
      throw Misuse.error(
          MPI.ERR_BUFFER,
          call,
          "the buffer has " + length + " elements; the call names elements ",
          first + " to " + (end - 1));
    }
    return memory;
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
    return isView() ? view() : packed();
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
        : isView()
            ? view()
            : new Payload(type.basic.wire, type.basic.allocate(elements()), 0, elements());
  }

  private Payload nothing() {
    return new Payload(
        type.basic.wire, type.basic == Basic.OBJECT ? new byte[0] : type.basic.allocate(0), 0, 0);
  }

  /** Whether the program's own array can be the payload. */
  private boolean isView() {
    return type.contiguous && memory instanceof Memory.OfArray;
  }

  private Payload view() {
    Memory.OfArray array = (Memory.OfArray) memory;
    return new Payload(type.basic.wire, array.array, array.start + offset, elements());
  }

  private Payload packed() {
    Object array = type.basic.allocate(elements());
    type.layout.gather(memory, offset, count, type.Extent(), array, 0);
    return new Payload(type.basic.wire, array, 0, elements());
  }

  /** The objects of this area, without gaps. */
  Object[] objects() {
    Object[] objects = new Object[elements()];
    if (memory == null) {
      return objects;
    }
    type.layout.gather(memory, offset, count, type.Extent(), objects, 0);
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
    if (packed != null) {
      packed.setSize(offset + elements);
    }
    return Status.of(received, elements);
  }

  /** Spreads packed elements over the items of this area, unless they are there already. */
  @SuppressWarnings("ReferenceEquality") // The very array that the program passed, or another one.
  void acceptPacked(Payload packed, int elements) {
    boolean isThere = memory instanceof Memory.OfArray own && own.array == packed.array();
    if (memory != null && !isThere) {
      type.layout.scatter(packed.array(), packed.offset(), elements, memory, offset, type.Extent());
    }
  }

  int acceptObjects(Object[] objects) {
    if (objects.length > elements()) {
      throw Misuse.error(
          call,
          "the message has more objects than the " + elements() + " that there is room for: ",
          objects.length);
    }
    if (objects.length == 0) {
      return 0;
    }
    try {
      type.layout.scatter(objects, 0, objects.length, memory, offset, type.Extent());
    } catch (ArrayStoreException e) {
      String array = ((Memory.OfArray) memory).array.getClass().getSimpleName();
      throw Misuse.error(call, "an object does not fit into " + array + ": ", e.getMessage());
    }
    return objects.length;
  }
}
