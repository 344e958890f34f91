package mpi;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * A record of fields of several types in Open MPI's dialect: a program subclasses it, adds fields
 * in its constructor, and reads and writes them in a subclass of {@link Data}.
 */
@SuppressWarnings("TypeParameterUnusedInFormals") // The program says what its views are.
public abstract class Struct {
  private record Field(Datatype type, int offset, int length) {}

  private final List<Field> fields = new ArrayList<>();

  /** Where the next field begins; of the finished struct its whole length. */
  private int extent;

  private Datatype datatype;

  protected Struct() {}

  /** A new view of a struct: as the subclass has it. */
  protected abstract Data newData();

  public final int getExtent() throws MPIException {
    getType();
    return extent;
  }

  /** Fixes the fields. */
  public final Datatype getType() throws MPIException {
    if (datatype == null) {
      datatype =
          Datatype.createStruct(
              fields.stream().mapToInt(Field::length).toArray(),
              fields.stream().mapToInt(Field::offset).toArray(),
              fields.stream().map(Field::type).toArray(Datatype[]::new));
      extent = datatype.getExtent();
    }
    return datatype;
  }

  public final <T extends Data> T getData(ByteBuffer buffer) throws MPIException {
    return getData(buffer, 0);
  }

  /** The n-th struct of an array of them. */
  public final <T extends Data> T getData(ByteBuffer buffer, int index) throws MPIException {
    return at(buffer, index * getExtent());
  }

  public final <T extends Data> T getData(byte[] array) throws MPIException {
    return getData(array, 0);
  }

  public final <T extends Data> T getData(byte[] array, int index) throws MPIException {
    return getData(ByteBuffer.wrap(array).order(ByteOrder.nativeOrder()), index);
  }

  @SuppressWarnings("unchecked")
  private <T extends Data> T at(ByteBuffer buffer, int offset) {
    getType();
    Data data = newData();
    data.buffer = buffer;
    data.offset = offset;
    return (T) data;
  }

  /** Leaves a gap before the next field. */
  public final Struct setOffset(int offset) {
    requireOpen();
    if (offset < extent) {
      throw new IllegalArgumentException(
          "the fields so far take " + extent + " bytes; found the offset " + offset);
    }
    extent = offset;
    return this;
  }

  private void requireOpen() {
    if (datatype != null) {
      throw new IllegalStateException("the struct has its type already: no field can be added");
    }
  }

  private int add(Datatype type, int bytes, int length) {
    requireOpen();
    int offset = extent;
    fields.add(new Field(type, offset, length));
    extent += bytes * length;
    return offset;
  }

  public final int addByte() {
    return addByte(1);
  }

  public final int addByte(int length) {
    return add(MPI.BYTE, 1, length);
  }

  public final int addChar() {
    return addChar(1);
  }

  public final int addChar(int length) {
    return add(MPI.CHAR, 2, length);
  }

  public final int addShort() {
    return addShort(1);
  }

  public final int addShort(int length) {
    return add(MPI.SHORT, 2, length);
  }

  public final int addInt() {
    return addInt(1);
  }

  public final int addInt(int length) {
    return add(MPI.INT, 4, length);
  }

  public final int addLong() {
    return addLong(1);
  }

  public final int addLong(int length) {
    return add(MPI.LONG, 8, length);
  }

  public final int addFloat() {
    return addFloat(1);
  }

  public final int addFloat(int length) {
    return add(MPI.FLOAT, 4, length);
  }

  public final int addDouble() {
    return addDouble(1);
  }

  public final int addDouble(int length) {
    return add(MPI.DOUBLE, 8, length);
  }

  public final int addStruct(Struct struct) throws MPIException {
    return addStruct(struct, 1);
  }

  public final int addStruct(Struct struct, int length) throws MPIException {
    return add(struct.getType(), struct.getExtent(), length);
  }

  public final int addData(Datatype type) throws MPIException {
    return addData(type, 1);
  }

  public final int addData(Datatype type, int length) throws MPIException {
    return add(type, type.getExtent() * Math.max(1, type.basic.bytes), length);
  }

  /** One struct in a buffer. Fields are named by the offsets that adding them returned. */
  public abstract class Data {
    private ByteBuffer buffer;
    private int offset;

    protected Data() {}

    /** From this struct on, to be sent or received. */
    public final ByteBuffer getBuffer() {
      return offset == 0 ? buffer : MPI.slice(buffer, offset);
    }

    protected final byte getByte(int field) {
      return getByte(field, 0);
    }

    protected final byte getByte(int field, int index) {
      return buffer.get(offset + field + index);
    }

    protected final void putByte(int field, byte v) {
      putByte(field, 0, v);
    }

    protected final void putByte(int field, int index, byte v) {
      buffer.put(offset + field + index, v);
    }

    protected final char getChar(int field) {
      return getChar(field, 0);
    }

    protected final char getChar(int field, int index) {
      return buffer.getChar(offset + field + index * 2);
    }

    protected final void putChar(int field, char v) {
      putChar(field, 0, v);
    }

    protected final void putChar(int field, int index, char v) {
      buffer.putChar(offset + field + index * 2, v);
    }

    protected final short getShort(int field) {
      return getShort(field, 0);
    }

    protected final short getShort(int field, int index) {
      return buffer.getShort(offset + field + index * 2);
    }

    protected final void putShort(int field, short v) {
      putShort(field, 0, v);
    }

    protected final void putShort(int field, int index, short v) {
      buffer.putShort(offset + field + index * 2, v);
    }

    protected final int getInt(int field) {
      return getInt(field, 0);
    }

    protected final int getInt(int field, int index) {
      return buffer.getInt(offset + field + index * 4);
    }

    protected final void putInt(int field, int v) {
      putInt(field, 0, v);
    }

    protected final void putInt(int field, int index, int v) {
      buffer.putInt(offset + field + index * 4, v);
    }

    protected final long getLong(int field) {
      return getLong(field, 0);
    }

    protected final long getLong(int field, int index) {
      return buffer.getLong(offset + field + index * 8);
    }

    protected final void putLong(int field, long v) {
      putLong(field, 0, v);
    }

    protected final void putLong(int field, int index, long v) {
      buffer.putLong(offset + field + index * 8, v);
    }

    protected final float getFloat(int field) {
      return getFloat(field, 0);
    }

    protected final float getFloat(int field, int index) {
      return buffer.getFloat(offset + field + index * 4);
    }

    protected final void putFloat(int field, float v) {
      putFloat(field, 0, v);
    }

    protected final void putFloat(int field, int index, float v) {
      buffer.putFloat(offset + field + index * 4, v);
    }

    protected final double getDouble(int field) {
      return getDouble(field, 0);
    }

    protected final double getDouble(int field, int index) {
      return buffer.getDouble(offset + field + index * 8);
    }

    protected final void putDouble(int field, double v) {
      putDouble(field, 0, v);
    }

    protected final void putDouble(int field, int index, double v) {
      buffer.putDouble(offset + field + index * 8, v);
    }

    protected final <S extends Struct, D extends Struct.Data> D getData(S struct, int field) {
      return getData(struct, field, 0);
    }

    protected final <S extends Struct, D extends Struct.Data> D getData(
        S struct, int field, int index) {
      Struct inner = struct;
      return inner.at(buffer, offset + field + index * inner.getExtent());
    }

    protected final ByteBuffer getBuffer(Datatype type, int field) {
      return getBuffer(type, field, 0);
    }

    protected final ByteBuffer getBuffer(Datatype type, int field, int index) {
      return MPI.slice(
          buffer, offset + field + index * type.getExtent() * Math.max(1, type.basic.bytes));
    }
  }
}
