import mpi.*;

/** Two halves talk through an intercommunicator and are merged again. */
public class TwoSides {
  public static void main(String[] args) throws MPIException {
    MPI.Init(args);
    Intracomm world = MPI.COMM_WORLD;
    int rank = world.getRank();
    int half = world.getSize() / 2;
    boolean upper = rank >= half;
    Intracomm side = world.split(upper ? 1 : 0, rank);
    Intercomm bridge = world.createIntercomm(side, 0, upper ? 0 : half, 3);
    int[] heard = {-1};
    if (bridge.getRank() < bridge.getRemoteSize()) {
      int partner = bridge.getRank();
      bridge.sendRecv(
          new int[] {rank}, 1, MPI.INT, partner, 4, heard, 1, MPI.INT, partner, 4);
    }
    Intracomm merged = bridge.merge(!upper);
    int[] sum = {heard[0] < 0 ? 0 : heard[0]};
    merged.allReduce(sum, 1, MPI.INT, MPI.SUM);
    int[] place = {merged.getRank()};
    world.bcast(place, 1, MPI.INT, 0);
    if (rank == 0) {
      System.out.println("heard " + sum[0] + ", rank 0 is now rank " + place[0]);
    }
    MPI.Finalize();
  }
}
