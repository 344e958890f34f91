package mpi;

import org.reprise.ranks.fabric.BasicType;
import org.reprise.ranks.fabric.CollectiveCall.Parts;
import org.reprise.ranks.fabric.Payload;

/**
 * A program's buffer in a collective call that has one area for each rank: equal ones behind each
 * other, or by counts and displacements. Displacements count extents of the datatype.
 */
final class Shares {
  private final String call;
  private final Object buffer;
  private final int offset;
  private final Datatype type;
  private final int ranks;

  /** Of equal shares. */
  private final int count;

  /** Of shares that differ; otherwise null. */
  private final int[] counts;

  private final int[] displacements;

  private Shares(
      String call,
      Object buffer,
      int offset,
      Datatype type,
      int ranks,
      int count,
      int[] counts,
      int[] displacements) {
    this.call = call;
    this.buffer = buffer;
    this.offset = offset;
    this.type = type;
    this.ranks = ranks;
    this.count = count;
    this.counts = counts;
    this.displacements = displacements;
  }

  static Shares equal(String call, Object buffer, int offset, int count, Datatype type, int ranks) {
    Misuse.unless(count >= 0, call, "the count is negative: ", count);
    requireType(call, type);
    Shares shares = new Shares(call, buffer, offset, type, ranks, count, null, null);
    shares.whole();
    return shares;
  }

  static Shares of(
      String call,
      Object buffer,
      int offset,
      int[] counts,
      int[] displacements,
      Datatype type,
      int ranks) {
    Misuse.unless(
        counts != null && displacements != null, call, "there are no counts or displacements", "");
    Misuse.unless(
        counts.length >= ranks && displacements.length >= ranks,
        call,
        "counts and displacements are needed for " + ranks + " ranks; found: ",
        counts.length + " and " + displacements.length);
    requireType(call, type);
    Shares shares = new Shares(call, buffer, offset, type, ranks, 0, counts, displacements);
    for (int rank = 0; rank < ranks; rank++) {
      shares.area(rank);
    }
    return shares;
  }

  private static void requireType(String call, Datatype type) {
    if (type == null) {
      throw Misuse.error(MPI.ERR_TYPE, call, "there is no datatype: ", null);
    }
  }

  /** All equal shares as one area. */
  private Area whole() {
    return Area.of(call, buffer, offset, Math.multiplyExact(count, ranks), type);
  }

  private boolean areEqual() {
    return counts == null;
  }

  private int countOf(int rank) {
    return areEqual() ? count : counts[rank];
  }

  boolean areObjects() {
    return type.basic == Basic.OBJECT;
  }

  /** The area of one rank. */
  Area area(int rank) {
    int displacement = areEqual() ? rank * count : displacements[rank];
    return Area.of(call, buffer, offset + displacement * type.Extent(), countOf(rank), type);
  }

  /** Where each rank's elements are in {@link #outgoing} and {@link #room}; null: equal parts. */
  Parts parts() {
    if (areEqual() || type.basic == null) {
      return null;
    }
    int[] elements = new int[ranks];
    int[] starts = new int[ranks];
    int next = 0;
    for (int rank = 0; rank < ranks; rank++) {
      elements[rank] = counts[rank] * type.layout.size;
      starts[rank] = isView() ? displacements[rank] * type.Extent() : next;
      next += elements[rank];
    }
    return new Parts(elements, starts);
  }

  /** What all ranks' areas hold, as the parts say. */
  Payload outgoing() {
    if (areEqual()) {
      return whole().outgoing();
    }
    if (isView()) {
      return view();
    }
    Payload packed = fresh();
    for (int rank = 0, next = 0; rank < ranks; rank++) {
      Area area = area(rank);
      Payload part = area.outgoing();
      System.arraycopy(part.array(), part.offset(), packed.array(), next, part.count());
      next += area.elements();
    }
    return packed;
  }

  /** Where the elements of all ranks go first, as the parts say. */
  Payload room() {
    if (areEqual()) {
      return whole().room();
    }
    return isView() ? view() : fresh();
  }

  /** Puts what has come into the room where the program wants it. */
  void accept(Payload room) {
    if (type.basic != null && areEqual()) {
      whole().acceptPacked(room, room.count());
    }
    if (areEqual() || isView()) {
      return;
    }
    int next = 0;
    for (int rank = 0; rank < ranks; rank++) {
      Area area = area(rank);
      area.acceptPacked(room.slice(next, area.elements()), area.elements());
      next += area.elements();
    }
  }

  /** Whether the program's own array can be the payload, with the gaps between its shares. */
  private boolean isView() {
    return type.basic == null || (type.contiguous && memory() instanceof Memory.OfArray);
  }

  private Memory memory() {
    return buffer == null ? Memory.of(type.basic.allocate(0)) : Memory.of(buffer, type.basic);
  }

  /** The program's array from the offset on, as far as a share reaches. */
  private Payload view() {
    if (type.basic == null) {
      return Payload.EMPTY;
    }
    int end = 0;
    for (int rank = 0; rank < ranks; rank++) {
      if (counts[rank] > 0) {
        end = Math.max(end, (displacements[rank] + counts[rank]) * type.Extent());
      }
    }
    if (end == 0) {
      return new Payload(type.basic.wire, type.basic.allocate(0), 0, 0);
    }
    Memory.OfArray array = (Memory.OfArray) memory();
    return new Payload(type.basic.wire, array.array, array.start + offset, end);
  }

  private Payload fresh() {
    int elements = 0;
    for (int rank = 0; rank < ranks; rank++) {
      elements += counts[rank] * type.layout.size;
    }
    return new Payload(type.basic.wire, type.basic.allocate(elements), 0, elements);
  }

  /** The objects of each rank's area as bytes. */
  Bytes serialised() {
    Object[][] objects = new Object[ranks][];
    for (int rank = 0; rank < ranks; rank++) {
      objects[rank] = area(rank).objects();
    }
    return Bytes.of(call, objects);
  }

  void acceptObjects(Bytes bytes) {
    for (int rank = 0; rank < ranks; rank++) {
      area(rank).acceptObjects(Serial.objects(call, bytes.of(rank)));
    }
  }

  /** Serialised objects of each rank in one array, one behind the other. */
  record Bytes(Payload payload, Parts parts) {
    static Bytes room(int[] lengths) {
      int[] starts = new int[lengths.length];
      int all = 0;
      for (int rank = 0; rank < lengths.length; rank++) {
        starts[rank] = all;
        all = Math.addExact(all, lengths[rank]);
      }
      return new Bytes(
          new Payload(BasicType.OBJECT, new byte[all], 0, all), new Parts(lengths, starts));
    }

    static Bytes of(String call, Object[][] objects) {
      byte[][] each = new byte[objects.length][];
      int[] lengths = new int[objects.length];
      for (int rank = 0; rank < each.length; rank++) {
        each[rank] = Serial.bytes(call, objects[rank]);
        lengths[rank] = each[rank].length;
      }
      Bytes all = room(lengths);
      for (int rank = 0; rank < each.length; rank++) {
        System.arraycopy(
            each[rank], 0, all.payload.array(), all.parts.displacements()[rank], lengths[rank]);
      }
      return all;
    }

    Payload of(int rank) {
      return payload.slice(parts.displacements()[rank], parts.counts()[rank]);
    }
  }
}
