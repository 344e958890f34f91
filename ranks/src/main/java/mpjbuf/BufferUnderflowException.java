package mpjbuf;

/** There is nothing left to read. */
public class BufferUnderflowException extends BufferException {
  public BufferUnderflowException() {}

  public BufferUnderflowException(String message) {
    super(message);
  }
}
