package mpi;

/**
 * The fields of {@link MPI#FLOAT_INT}: a value, and an index that MINLOC and MAXLOC keep with it.
 */
public final class FloatInt extends Struct {
  private final int value;
  private final int index;

  FloatInt() {
    value = addFloat();
    index = addInt();
  }

  @Override
  protected Data newData() {
    return new Data();
  }

  /** One pair in a buffer. */
  public final class Data extends Struct.Data {
    public float getValue() {
      return getFloat(value);
    }

    public void putValue(float v) {
      putFloat(value, v);
    }

    public int getIndex() {
      return getInt(index);
    }

    public void putIndex(int v) {
      putInt(index, v);
    }
  }
}
