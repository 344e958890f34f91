import mpi.*;

/** A token goes around twice; each rank adds its number. */
public class Ring {
  public static void main(String[] args) throws MPIException {
    MPI.Init(args);
    Intracomm world = MPI.COMM_WORLD;
    int rank = world.getRank();
    int size = world.getSize();
    int right = (rank + 1) % size;
    int left = (rank + size - 1) % size;
    int[] token = new int[1];
    for (int round = 0; round < 2; round++) {
      if (rank == 0) {
        world.send(token, 1, MPI.INT, right, round);
        world.recv(token, 1, MPI.INT, left, round);
      } else {
        world.recv(token, 1, MPI.INT, left, round);
        token[0] += rank;
        world.send(token, 1, MPI.INT, right, round);
      }
    }
    if (rank == 0) {
      System.out.println("the token is " + token[0]);
    }
    MPI.Finalize();
  }
}
