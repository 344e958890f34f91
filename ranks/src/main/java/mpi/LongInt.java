package mpi;

/**
 * The fields of {@link MPI#LONG_INT}: a value, and an index that MINLOC and MAXLOC keep with it.
 */
public final class LongInt extends Struct {
  private final int value;
  private final int index;

  LongInt() {
    value = addLong();
    index = addInt();
  }

  @Override
  protected Data newData() {
    return new Data();
  }

  /** One pair in a buffer. */
  public final class Data extends Struct.Data {
    public long getValue() {
      return getLong(value);
    }

    public void putValue(long v) {
      putLong(value, v);
    }

    public int getIndex() {
      return getInt(index);
    }

    public void putIndex(int v) {
      putInt(index, v);
    }
  }
}
