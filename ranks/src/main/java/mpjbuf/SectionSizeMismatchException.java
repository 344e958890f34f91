package mpjbuf;

/** More elements were read than a section has, or fewer. */
public class SectionSizeMismatchException extends BufferException {
  public SectionSizeMismatchException() {}

  public SectionSizeMismatchException(String message) {
    super(message);
  }
}
