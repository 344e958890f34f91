package mpi;

/**
 * What happens at an error. Both kinds throw an {@link MPIException}: one that the program does not
 * catch ends the run, which is all that "fatal" means.
 */
public class Errhandler {
  Errhandler() {}

  public void free() throws MPIException {}
}
