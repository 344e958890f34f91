package mpjbuf;

/** Memory for a {@link Buffer}: here nothing but a wish for so many bytes. */
public class RawBuffer {
  private final int capacity;

  RawBuffer(int capacity) {
    this.capacity = capacity;
  }

  public int getCapacity() {
    return capacity;
  }
}
