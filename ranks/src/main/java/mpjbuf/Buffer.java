package mpjbuf;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Bytes that a program puts a message together in: Comm.Pack appends to them and Comm.Unpack reads
 * from them, or the program writes sections of one type each and reads them in the same order. Sent
 * and received as MPI.PACKED. It grows as needed.
 *
 * <p>It is written to until {@link #commit}, and then read from its beginning; {@link #clear} makes
 * it empty. One that was received into is committed, too, before it is read.
 */
public class Buffer {
  /** A section has its type and its number of elements before them. */
  public static final int SECTION_OVERHEAD = 8;

  public static final int ALIGNMENT_UNIT = 8;

  private final RawBuffer memory;
  private byte[] bytes;
  private int size;
  private boolean writable = true;
  private ByteOrder encoding = ByteOrder.nativeOrder();

  /** The section that is written or read: where it begins, and what is left of it to be read. */
  private int section = -1;

  private Type type = Type.UNDEFINED;
  private int remaining;

  /** Where the next element is read. */
  private int at;

  public Buffer(int capacity) {
    this(BufferFactory.create(capacity), 0, capacity);
  }

  public Buffer(RawBuffer memory, int offset, int capacity) {
    this.memory = memory;
    this.bytes = new byte[Math.max(0, capacity - offset)];
  }

  public RawBuffer getStaticBuffer() {
    return memory;
  }

  public int getCapacity() {
    return bytes.length;
  }

  /** Always 0: nothing is put before what the program writes. */
  public int offset() {
    return 0;
  }

  /** How many bytes were written, packed or received. */
  public int getSize() {
    return size;
  }

  public void setSize(int size) {
    reserve(size);
    this.size = size;
  }

  public ByteOrder getEncoding() {
    return encoding;
  }

  public void setEncoding(ByteOrder encoding) {
    this.encoding = encoding;
  }

  public boolean isWritable() {
    return writable;
  }

  public void free() {}

  /** Its bytes; another array after {@link #reserve}. */
  public byte[] bytes() {
    return bytes;
  }

  /** Makes room for this many bytes. */
  public void reserve(int length) {
    if (length > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(length, 2 * bytes.length));
    }
  }

  /** From now on it is read. */
  public void commit() throws BufferException {
    writable = false;
    section = -1;
    at = 0;
    remaining = 0;
  }

  /** Makes it empty, to be written again. */
  public void clear() throws BufferException {
    writable = true;
    section = -1;
    size = 0;
    remaining = 0;
  }

  /** Begins a section: what is written next is of this type. */
  public void putSectionHeader(Type type) throws BufferException {
    requireWritable();
    section = aligned(size);
    this.type = type;
    setSize(section + SECTION_OVERHEAD);
    bytes[section] = (byte) type.getCode();
    buffer().putInt(section + Integer.BYTES, 0);
  }

  /** Goes on to the next section; returns its type. */
  public Type getSectionHeader() throws BufferException {
    requireReadable();
    if (remaining > 0) {
      throw new SectionSizeMismatchException(
          remaining + " elements of the section before were not read");
    }
    int begin = aligned(at);
    if (begin + SECTION_OVERHEAD > size) {
      throw new BufferUnderflowException("there is no further section");
    }
    section = begin;
    type = Type.getType(bytes[begin]);
    remaining = buffer().getInt(begin + Integer.BYTES);
    at = begin + SECTION_OVERHEAD;
    return type;
  }

  /** How many elements the section has that is read, or that has been written so far. */
  public int getSectionSize() throws BufferException {
    if (section < 0) {
      throw new BufferException("there is no section yet");
    }
    return buffer().getInt(section + Integer.BYTES);
  }

  /** How many elements of the section are still to be read. */
  public int getRemaining() throws BufferException {
    requireReadable();
    return remaining;
  }

  public void write(byte[] source, int srcOff, int numEls) throws BufferException {
    put(Type.BYTE, source, srcOff, numEls);
  }

  public void write(short[] source, int srcOff, int numEls) throws BufferException {
    put(Type.SHORT, source, srcOff, numEls);
  }

  public void write(int[] source, int srcOff, int numEls) throws BufferException {
    put(Type.INT, source, srcOff, numEls);
  }

  public void write(long[] source, int srcOff, int numEls) throws BufferException {
    put(Type.LONG, source, srcOff, numEls);
  }

  public void write(char[] source, int srcOff, int numEls) throws BufferException {
    put(Type.CHAR, source, srcOff, numEls);
  }

  public void write(float[] source, int srcOff, int numEls) throws BufferException {
    put(Type.FLOAT, source, srcOff, numEls);
  }

  public void write(double[] source, int srcOff, int numEls) throws BufferException {
    put(Type.DOUBLE, source, srcOff, numEls);
  }

  public void write(boolean[] source, int srcOff, int numEls) throws BufferException {
    put(Type.BOOLEAN, source, srcOff, numEls);
  }

  public void write(Object[] source, int srcOff, int numEls) throws BufferException {
    put(Type.OBJECT, source, srcOff, numEls);
  }

  public void read(byte[] dest, int dstOff, int numEls) throws BufferException {
    take(Type.BYTE, dest, dstOff, numEls);
  }

  public void read(short[] dest, int dstOff, int numEls) throws BufferException {
    take(Type.SHORT, dest, dstOff, numEls);
  }

  public void read(int[] dest, int dstOff, int numEls) throws BufferException {
    take(Type.INT, dest, dstOff, numEls);
  }

  public void read(long[] dest, int dstOff, int numEls) throws BufferException {
    take(Type.LONG, dest, dstOff, numEls);
  }

  public void read(char[] dest, int dstOff, int numEls) throws BufferException {
    take(Type.CHAR, dest, dstOff, numEls);
  }

  public void read(float[] dest, int dstOff, int numEls) throws BufferException {
    take(Type.FLOAT, dest, dstOff, numEls);
  }

  public void read(double[] dest, int dstOff, int numEls) throws BufferException {
    take(Type.DOUBLE, dest, dstOff, numEls);
  }

  public void read(boolean[] dest, int dstOff, int numEls) throws BufferException {
    take(Type.BOOLEAN, dest, dstOff, numEls);
  }

  public void read(Object[] dest, int dstOff, int numEls) throws BufferException {
    take(Type.OBJECT, dest, dstOff, numEls);
  }

  // The elements that a list of indices names, from an offset in that list on

  public void gather(byte[] source, int numEls, int idxOff, int[] indexes) throws BufferException {
    putEach(Type.BYTE, source, numEls, idxOff, indexes);
  }

  public void gather(short[] source, int numEls, int idxOff, int[] indexes) throws BufferException {
    putEach(Type.SHORT, source, numEls, idxOff, indexes);
  }

  public void gather(int[] source, int numEls, int idxOff, int[] indexes) throws BufferException {
    putEach(Type.INT, source, numEls, idxOff, indexes);
  }

  public void gather(long[] source, int numEls, int idxOff, int[] indexes) throws BufferException {
    putEach(Type.LONG, source, numEls, idxOff, indexes);
  }

  public void gather(char[] source, int numEls, int idxOff, int[] indexes) throws BufferException {
    putEach(Type.CHAR, source, numEls, idxOff, indexes);
  }

  public void gather(float[] source, int numEls, int idxOff, int[] indexes) throws BufferException {
    putEach(Type.FLOAT, source, numEls, idxOff, indexes);
  }

  public void gather(double[] source, int numEls, int idxOff, int[] indexes)
      throws BufferException {
    putEach(Type.DOUBLE, source, numEls, idxOff, indexes);
  }

  public void gather(boolean[] source, int numEls, int idxOff, int[] indexes)
      throws BufferException {
    putEach(Type.BOOLEAN, source, numEls, idxOff, indexes);
  }

  public void gather(Object[] source, int numEls, int idxOff, int[] indexes)
      throws BufferException {
    putEach(Type.OBJECT, source, numEls, idxOff, indexes);
  }

  public void scatter(byte[] dest, int numEls, int idxOff, int[] indexes) throws BufferException {
    takeEach(Type.BYTE, dest, numEls, idxOff, indexes);
  }

  public void scatter(short[] dest, int numEls, int idxOff, int[] indexes) throws BufferException {
    takeEach(Type.SHORT, dest, numEls, idxOff, indexes);
  }

  public void scatter(int[] dest, int numEls, int idxOff, int[] indexes) throws BufferException {
    takeEach(Type.INT, dest, numEls, idxOff, indexes);
  }

  public void scatter(long[] dest, int numEls, int idxOff, int[] indexes) throws BufferException {
    takeEach(Type.LONG, dest, numEls, idxOff, indexes);
  }

  public void scatter(char[] dest, int numEls, int idxOff, int[] indexes) throws BufferException {
    takeEach(Type.CHAR, dest, numEls, idxOff, indexes);
  }

  public void scatter(float[] dest, int numEls, int idxOff, int[] indexes) throws BufferException {
    takeEach(Type.FLOAT, dest, numEls, idxOff, indexes);
  }

  public void scatter(double[] dest, int numEls, int idxOff, int[] indexes) throws BufferException {
    takeEach(Type.DOUBLE, dest, numEls, idxOff, indexes);
  }

  public void scatter(boolean[] dest, int numEls, int idxOff, int[] indexes)
      throws BufferException {
    takeEach(Type.BOOLEAN, dest, numEls, idxOff, indexes);
  }

  public void scatter(Object[] dest, int numEls, int idxOff, int[] indexes) throws BufferException {
    takeEach(Type.OBJECT, dest, numEls, idxOff, indexes);
  }

  private void requireWritable() throws BufferException {
    if (!writable) {
      throw new BufferException("the buffer is committed: clear it before it is written");
    }
  }

  private void requireReadable() throws BufferException {
    if (writable) {
      throw new BufferException("the buffer is not committed: commit it before it is read");
    }
  }

  private static int aligned(int place) {
    return (place + ALIGNMENT_UNIT - 1) / ALIGNMENT_UNIT * ALIGNMENT_UNIT;
  }

  private ByteBuffer buffer() {
    return ByteBuffer.wrap(bytes).order(encoding);
  }

  private void begin(Type wanted, int count) throws BufferException {
    requireWritable();
    if (section < 0 || type != wanted) {
      throw new TypeMismatchException(
          wanted + " written, where the section is of " + (section < 0 ? "no type yet" : type));
    }
    buffer().putInt(section + Integer.BYTES, getSectionSize() + count);
  }

  private void require(Type wanted, int count) throws BufferException {
    requireReadable();
    if (section < 0 || type != wanted) {
      throw new TypeMismatchException(
          wanted + " read, where the section is of " + (section < 0 ? "no type yet" : type));
    }
    if (count > remaining) {
      throw new SectionSizeMismatchException(
          count + " elements read, where " + remaining + " are left in the section");
    }
    remaining -= count;
  }

  private void put(Type wanted, Object array, int from, int count) throws BufferException {
    begin(wanted, count);
    for (int i = from; i < from + count; i++) {
      putOne(Array.get(array, i));
    }
  }

  private void putEach(Type wanted, Object array, int count, int from, int[] indexes)
      throws BufferException {
    begin(wanted, count);
    for (int i = from; i < from + count; i++) {
      putOne(Array.get(array, indexes[i]));
    }
  }

  private void take(Type wanted, Object array, int to, int count) throws BufferException {
    require(wanted, count);
    for (int i = to; i < to + count; i++) {
      Array.set(array, i, takeOne(array));
    }
  }

  private void takeEach(Type wanted, Object array, int count, int from, int[] indexes)
      throws BufferException {
    require(wanted, count);
    for (int i = from; i < from + count; i++) {
      Array.set(array, indexes[i], takeOne(array));
    }
  }

  private void putOne(Object value) throws BufferException {
    int to = size;
    if (type == Type.OBJECT) {
      byte[] object = serialised(value);
      setSize(size + Integer.BYTES + object.length);
      buffer().position(to).putInt(object.length).put(object);
      return;
    }
    setSize(size + type.bytes());
    ByteBuffer all = buffer().position(to);
    switch (value) {
      case Byte number -> all.put(number);
      case Short number -> all.putShort(number);
      case Integer number -> all.putInt(number);
      case Long number -> all.putLong(number);
      case Character character -> all.putChar(character);
      case Float number -> all.putFloat(number);
      case Double number -> all.putDouble(number);
      case Boolean truth -> all.put((byte) (truth ? 1 : 0));
      default -> throw new AssertionError(value);
    }
  }

  private Object takeOne(Object array) throws BufferException {
    ByteBuffer all = buffer().position(at);
    Object value =
        switch (array) {
          case byte[] _ -> all.get();
          case short[] _ -> all.getShort();
          case int[] _ -> all.getInt();
          case long[] _ -> all.getLong();
          case char[] _ -> all.getChar();
          case float[] _ -> all.getFloat();
          case double[] _ -> all.getDouble();
          case boolean[] _ -> all.get() != 0;
          default -> object(all);
        };
    at = all.position();
    return value;
  }

  private static byte[] serialised(Object value) throws BufferException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream objects = new ObjectOutputStream(bytes)) {
      objects.writeObject(value);
    } catch (IOException e) {
      throw new BufferException("an object cannot be serialised: " + e);
    }
    return bytes.toByteArray();
  }

  private static Object object(ByteBuffer all) throws BufferException {
    byte[] bytes = new byte[all.getInt()];
    all.get(bytes);
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    try (ObjectInputStream objects =
        new ObjectInputStream(new ByteArrayInputStream(bytes)) {
          @Override
          protected Class<?> resolveClass(ObjectStreamClass type)
              throws IOException, ClassNotFoundException {
            try {
              return Class.forName(type.getName(), false, loader);
            } catch (ClassNotFoundException e) {
              return super.resolveClass(type);
            }
          }
        }) {
      return objects.readObject();
    } catch (IOException | ClassNotFoundException e) {
      throw new BufferException("an object cannot be read: " + e);
    }
  }
}
