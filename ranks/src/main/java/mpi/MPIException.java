package mpi;

/** What a call of this package throws: a wrong use of it, or a run that has come to its end. */
public class MPIException extends RuntimeException {
  public MPIException() {}

  public MPIException(String message) {
    super(message);
  }

  public MPIException(Throwable cause) {
    super(cause);
  }
}
