package mpjbuf;

import java.util.Arrays;

/** Bytes that Comm.Pack appends to and Comm.Unpack reads from; sent and received as MPI.PACKED. */
public class Buffer {
  private final RawBuffer memory;
  private byte[] bytes;

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
}
