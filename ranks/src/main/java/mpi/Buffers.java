package mpi;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;

/** The buffers that Open MPI's dialect makes with methods of MPI. */
abstract class Buffers {
  Buffers() {}

  /** Direct, in the machine's order. */
  public static ByteBuffer newByteBuffer(int capacity) {
    return ByteBuffer.allocateDirect(capacity).order(ByteOrder.nativeOrder());
  }

  public static CharBuffer newCharBuffer(int capacity) {
    return newByteBuffer(Math.multiplyExact(capacity, 2)).asCharBuffer();
  }

  public static ShortBuffer newShortBuffer(int capacity) {
    return newByteBuffer(Math.multiplyExact(capacity, 2)).asShortBuffer();
  }

  public static IntBuffer newIntBuffer(int capacity) {
    return newByteBuffer(Math.multiplyExact(capacity, 4)).asIntBuffer();
  }

  public static LongBuffer newLongBuffer(int capacity) {
    return newByteBuffer(Math.multiplyExact(capacity, 8)).asLongBuffer();
  }

  public static FloatBuffer newFloatBuffer(int capacity) {
    return newByteBuffer(Math.multiplyExact(capacity, 4)).asFloatBuffer();
  }

  public static DoubleBuffer newDoubleBuffer(int capacity) {
    return newByteBuffer(Math.multiplyExact(capacity, 8)).asDoubleBuffer();
  }

  /** From an offset on, in the machine's order. */
  public static ByteBuffer slice(ByteBuffer buf, int offset) {
    return buf.clear().position(offset).slice().order(ByteOrder.nativeOrder());
  }

  public static ByteBuffer slice(byte[] buf, int offset) {
    return slice(ByteBuffer.wrap(buf), offset);
  }

  public static CharBuffer slice(CharBuffer buf, int offset) {
    return buf.clear().position(offset).slice();
  }

  public static CharBuffer slice(char[] buf, int offset) {
    return slice(CharBuffer.wrap(buf), offset);
  }

  public static ShortBuffer slice(ShortBuffer buf, int offset) {
    return buf.clear().position(offset).slice();
  }

  public static ShortBuffer slice(short[] buf, int offset) {
    return slice(ShortBuffer.wrap(buf), offset);
  }

  public static IntBuffer slice(IntBuffer buf, int offset) {
    return buf.clear().position(offset).slice();
  }

  public static IntBuffer slice(int[] buf, int offset) {
    return slice(IntBuffer.wrap(buf), offset);
  }

  public static LongBuffer slice(LongBuffer buf, int offset) {
    return buf.clear().position(offset).slice();
  }

  public static LongBuffer slice(long[] buf, int offset) {
    return slice(LongBuffer.wrap(buf), offset);
  }

  public static FloatBuffer slice(FloatBuffer buf, int offset) {
    return buf.clear().position(offset).slice();
  }

  public static FloatBuffer slice(float[] buf, int offset) {
    return slice(FloatBuffer.wrap(buf), offset);
  }

  public static DoubleBuffer slice(DoubleBuffer buf, int offset) {
    return buf.clear().position(offset).slice();
  }

  public static DoubleBuffer slice(double[] buf, int offset) {
    return slice(DoubleBuffer.wrap(buf), offset);
  }
}
