package mpi;

/**
 * The fields of {@link MPI#DOUBLE_INT}: a value, and an index that MINLOC and MAXLOC keep with it.
 */
public final class DoubleInt extends Struct {
  private final int value;
  private final int index;

  DoubleInt() {
    value = addDouble();
    index = addInt();
  }

  @Override
  protected Data newData() {
    return new Data();
  }

  /** One pair in a buffer. */
  public final class Data extends Struct.Data {
    public double getValue() {
      return getDouble(value);
    }

    public void putValue(double v) {
      putDouble(value, v);
    }

    public int getIndex() {
      return getInt(index);
    }

    public void putIndex(int v) {
      putInt(index, v);
    }
  }
}
