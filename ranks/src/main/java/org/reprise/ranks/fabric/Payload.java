package org.reprise.ranks.fabric;

/**
 * A run of elements of one type in a heap array: what is sent from, received into, or combined. It
 * is a view, not a copy: whoever makes one keeps the array as MPI says for the operation.
 *
 * @param array a Java array of {@code type.element()}
 * @param offset of the first element in the array
 * @param count number of elements; when receiving, how many there is room for
 */
public record Payload(BasicType type, Object array, int offset, int count) {
  private static final Object NOTHING = new byte[0];

  /** No elements: of a Barrier, or where a rank takes no part in the data. */
  public static final Payload EMPTY = new Payload(BasicType.BYTE, NOTHING, 0, 0);

  /** The same elements from {@code first} on, {@code length} of them. */
  public Payload slice(int first, int length) {
    return new Payload(type, array, offset + first, length);
  }

  /** Elements of their own that are equal to these. */
  public Payload copy() {
    Object fresh = type.newArray(count);
    System.arraycopy(array, offset, fresh, 0, count);
    return new Payload(type, fresh, 0, count);
  }

  /** Size in bytes, as C counts it. */
  public long bytes() {
    return (long) count * type.bytes();
  }
}
