import mpi.*;

/** Everybody says hello to rank 0, which prints in the order of ranks. */
public class Hello {
  public static void main(String[] args) throws MPIException {
    MPI.Init(args);
    int rank = MPI.COMM_WORLD.getRank();
    int size = MPI.COMM_WORLD.getSize();
    if (rank == 0) {
      System.out.println("hello from rank 0 of " + size);
      for (int source = 1; source < size; source++) {
        Status status = MPI.COMM_WORLD.probe(source, 7);
        char[] text = new char[status.getCount(MPI.CHAR)];
        MPI.COMM_WORLD.recv(text, text.length, MPI.CHAR, source, 7);
        System.out.println(new String(text));
      }
    } else {
      char[] text = ("hello from rank " + rank + " of " + size).toCharArray();
      MPI.COMM_WORLD.send(text, text.length, MPI.CHAR, 0, 7);
    }
    MPI.Finalize();
  }
}
