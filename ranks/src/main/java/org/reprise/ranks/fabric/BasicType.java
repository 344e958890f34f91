package org.reprise.ranks.fabric;

import java.lang.reflect.Array;

/** What the elements of a message are. Its Java array is what a {@link Payload} holds. */
public enum BasicType {
  BOOLEAN(boolean.class, 1),
  BYTE(byte.class, Byte.BYTES),
  CHAR(char.class, Character.BYTES),
  SHORT(short.class, Short.BYTES),
  INT(int.class, Integer.BYTES),
  LONG(long.class, Long.BYTES),
  FLOAT(float.class, Float.BYTES),
  DOUBLE(double.class, Double.BYTES),
  /** Bytes that the program packed; they match any type, as in MPI. */
  PACKED(byte.class, 1),
  /** Bytes of serialised objects. */
  OBJECT(byte.class, 1);

  private final Class<?> element;
  private final int bytes;

  BasicType(Class<?> element, int bytes) {
    this.element = element;
    this.bytes = bytes;
  }

  /** Size of an element in bytes, as C counts it. */
  public int bytes() {
    return bytes;
  }

  /** The type of an element in its Java array. */
  public Class<?> element() {
    return element;
  }

  /** A new array of this many elements. */
  public Object newArray(int length) {
    return Array.newInstance(element, length);
  }

  /** Whether what was sent as the other type may be received as this one. */
  public boolean accepts(BasicType sent) {
    return this == sent || this == PACKED || sent == PACKED;
  }
}
