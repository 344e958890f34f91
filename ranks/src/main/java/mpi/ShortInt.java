package mpi;

/**
 * The fields of {@link MPI#SHORT_INT}: a value, and an index that MINLOC and MAXLOC keep with it.
 */
public final class ShortInt extends Struct {
  private final int value;
  private final int index;

  ShortInt() {
    value = addShort();
    setOffset(4);
    index = addInt();
  }

  @Override
  protected Data newData() {
    return new Data();
  }

  /** One pair in a buffer. */
  public final class Data extends Struct.Data {
    public short getValue() {
      return getShort(value);
    }

    public void putValue(short v) {
      putShort(value, v);
    }

    public int getIndex() {
      return getInt(index);
    }

    public void putIndex(int v) {
      putInt(index, v);
    }
  }
}
