package mpjbuf;

/** What a {@link Buffer} throws that is used in another way than it allows. */
public class BufferException extends Exception {
  public BufferException() {}

  public BufferException(String message) {
    super(message);
  }
}
