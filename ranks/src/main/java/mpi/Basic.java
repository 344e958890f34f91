package mpi;

import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import org.reprise.ranks.fabric.BasicType;

/**
 * An element type of the program's buffers: the Java array that holds such elements, and what a
 * message is made of them. They differ for objects, which travel as bytes. The codes are those of
 * MPJ Express.
 */
enum Basic {
  BYTE(1, BasicType.BYTE, byte[].class),
  CHAR(2, BasicType.CHAR, char[].class),
  SHORT(3, BasicType.SHORT, short[].class),
  BOOLEAN(4, BasicType.BOOLEAN, boolean[].class),
  INT(5, BasicType.INT, int[].class),
  LONG(6, BasicType.LONG, long[].class),
  FLOAT(7, BasicType.FLOAT, float[].class),
  DOUBLE(8, BasicType.DOUBLE, double[].class),
  PACKED(9, BasicType.PACKED, byte[].class),
  OBJECT(12, BasicType.OBJECT, Object[].class);

  final int code;

  /** What the elements are on their way. */
  final BasicType wire;

  /** What an element takes in a message; nothing fixed for objects. */
  final int bytes;

  private final Class<?> array;

  Basic(int code, BasicType wire, Class<?> array) {
    this.code = code;
    this.wire = wire;
    this.bytes = wire == BasicType.OBJECT ? 0 : wire.bytes();
    this.array = array;
  }

  static Basic of(BasicType wire) {
    return valueOf(wire.name());
  }

  boolean isHeldBy(Object buffer) {
    return array.isInstance(buffer);
  }

  String arrayName() {
    return array.getSimpleName();
  }

  Object allocate(int length) {
    return Array.newInstance(array.getComponentType(), length);
  }

  /** Elements of an array as bytes, in the order that all ranks of a run share. */
  void put(Object from, int offset, int count, ByteBuffer to) {
    int bytesBefore = to.position();
    switch (this) {
      case BYTE, PACKED -> to.put((byte[]) from, offset, count);
      case CHAR -> to.asCharBuffer().put((char[]) from, offset, count);
      case SHORT -> to.asShortBuffer().put((short[]) from, offset, count);
      case INT -> to.asIntBuffer().put((int[]) from, offset, count);
      case LONG -> to.asLongBuffer().put((long[]) from, offset, count);
      case FLOAT -> to.asFloatBuffer().put((float[]) from, offset, count);
      case DOUBLE -> to.asDoubleBuffer().put((double[]) from, offset, count);
      case BOOLEAN -> {
        for (int i = 0; i < count; i++) {
          to.put((byte) (((boolean[]) from)[offset + i] ? 1 : 0));
        }
      }
      case OBJECT -> throw new IllegalStateException("objects have no fixed number of bytes");
    }
    to.position(bytesBefore + count * bytes);
  }

  /** The reverse of {@link #put}. */
  void get(ByteBuffer from, Object to, int offset, int count) {
    int bytesBefore = from.position();
    switch (this) {
      case BYTE, PACKED -> from.get((byte[]) to, offset, count);
      case CHAR -> from.asCharBuffer().get((char[]) to, offset, count);
      case SHORT -> from.asShortBuffer().get((short[]) to, offset, count);
      case INT -> from.asIntBuffer().get((int[]) to, offset, count);
      case LONG -> from.asLongBuffer().get((long[]) to, offset, count);
      case FLOAT -> from.asFloatBuffer().get((float[]) to, offset, count);
      case DOUBLE -> from.asDoubleBuffer().get((double[]) to, offset, count);
      case BOOLEAN -> {
        for (int i = 0; i < count; i++) {
          ((boolean[]) to)[offset + i] = from.get() != 0;
        }
      }
      case OBJECT -> throw new IllegalStateException("objects have no fixed number of bytes");
    }
    from.position(bytesBefore + count * bytes);
  }
}
