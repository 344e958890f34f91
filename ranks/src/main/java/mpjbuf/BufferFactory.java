package mpjbuf;

/** Where a program gets the memory of a {@link Buffer}. */
public class BufferFactory {
  private BufferFactory() {}

  public static RawBuffer create(int capacity) {
    return new RawBuffer(capacity);
  }

  /** Nothing to do: the garbage collector does it. */
  public static void destroy(RawBuffer buffer) {}
}
