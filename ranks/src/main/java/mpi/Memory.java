package mpi;

import java.lang.foreign.MemorySegment;
import java.lang.reflect.Array;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A program's buffer as elements of one basic type: a Java array, or an NIO buffer from its first
 * element on, whatever its position and limit are.
 */
abstract sealed class Memory {
  /** Null if the object cannot hold such elements. */
  static Memory of(Object buffer, Basic basic) {
    if (basic.isHeldBy(buffer)) {
      return new OfArray(buffer, 0, Array.getLength(buffer));
    }
    if (!(buffer instanceof Buffer nio) || basic == Basic.OBJECT || nio.isReadOnly()) {
      return null;
    }
    if (!nio.isDirect()) {
      return ofHeap(nio, basic);
    }
    ByteBuffer bytes =
        nio instanceof ByteBuffer own
            ? own
            : MemorySegment.ofBuffer(nio.duplicate().clear()).asByteBuffer();
    return new OfBytes(bytes, basic);
  }

  private static Memory ofHeap(Buffer nio, Basic basic) {
    if (basic.isHeldBy(nio.array())) {
      return new OfArray(nio.array(), nio.arrayOffset(), nio.capacity());
    }
    return nio instanceof ByteBuffer bytes ? new OfBytes(bytes, basic) : null;
  }

  /** The whole of an array. */
  static Memory of(Object array) {
    return new OfArray(array, 0, Array.getLength(array));
  }

  abstract int length();

  abstract void read(int at, Object to, int toAt, int count);

  abstract void write(int at, Object from, int fromAt, int count);

  /** An array, or a part of one. */
  static final class OfArray extends Memory {
    final Object array;
    final int start;
    private final int length;

    OfArray(Object array, int start, int length) {
      this.array = array;
      this.start = start;
      this.length = length;
    }

    @Override
    int length() {
      return length;
    }

    @Override
    void read(int at, Object to, int toAt, int count) {
      System.arraycopy(array, start + at, to, toAt, count);
    }

    @Override
    void write(int at, Object from, int fromAt, int count) {
      System.arraycopy(from, fromAt, array, start + at, count);
    }
  }

  /** Bytes in the machine's own order, as libmpi would see them. */
  static final class OfBytes extends Memory {
    private final ByteBuffer bytes;
    private final Basic basic;

    OfBytes(ByteBuffer bytes, Basic basic) {
      this.bytes = bytes;
      this.basic = basic;
    }

    @Override
    int length() {
      return bytes.capacity() / basic.bytes;
    }

    private ByteBuffer from(int at) {
      return bytes.duplicate().order(ByteOrder.nativeOrder()).clear().position(at * basic.bytes);
    }

    @Override
    void read(int at, Object to, int toAt, int count) {
      basic.get(from(at), to, toAt, count);
    }

    @Override
    void write(int at, Object from, int fromAt, int count) {
      basic.put(from, fromAt, count, from(at));
    }
  }
}
