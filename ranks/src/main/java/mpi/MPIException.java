package mpi;

/** What a call of this package throws: a wrong use of it, or a run that has ended. */
public class MPIException extends RuntimeException {
  /** As Open MPI numbers them. */
  private final int code;

  private final int errorClass;

  public MPIException() {
    this("");
  }

  /** An error that MPI reports. */
  MPIException(int code, int errorClass, String message) {
    super(message);
    this.code = code;
    this.errorClass = errorClass;
  }

  public MPIException(String message) {
    this(MPI.ERR_OTHER, MPI.ERR_OTHER, message);
  }

  public MPIException(Throwable cause) {
    super(cause);
    this.code = MPI.ERR_OTHER;
    this.errorClass = MPI.ERR_OTHER;
  }

  public int getErrorCode() {
    return code;
  }

  public int getErrorClass() {
    return errorClass;
  }
}
