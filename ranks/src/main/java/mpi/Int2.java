package mpi;

/** The fields of {@link MPI#INT2}: a value, and an index that MINLOC and MAXLOC keep with it. */
public final class Int2 extends Struct {
  private final int value;
  private final int index;

  Int2() {
    value = addInt();
    index = addInt();
  }

  @Override
  protected Data newData() {
    return new Data();
  }

  /** One pair in a buffer. */
  public final class Data extends Struct.Data {
    public int getValue() {
      return getInt(value);
    }

    public void putValue(int v) {
      putInt(value, v);
    }

    public int getIndex() {
      return getInt(index);
    }

    public void putIndex(int v) {
      putInt(index, v);
    }
  }
}
