package mpjbuf;

/** Elements of another type than the section has were written or read. */
public class TypeMismatchException extends BufferException {
  public TypeMismatchException() {}

  public TypeMismatchException(String message) {
    super(message);
  }
}
