package mpi;

/** A reduction of the program's own: sets each element of inout to "in op inout". */
@SuppressWarnings({"MemberName", "TypeName"})
public abstract class User_function {
  public User_function() {}

  public abstract void Call(
      Object invec, int inoffset, Object inoutvec, int inoutoffset, int count, Datatype datatype)
      throws MPIException;
}
