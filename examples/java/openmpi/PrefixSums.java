import java.nio.IntBuffer;
import mpi.*;

/** Everybody learns where its items begin: scan, exclusive scan, and both without waiting. */
public class PrefixSums {
  public static void main(String[] args) throws MPIException {
    MPI.Init(args);
    Intracomm world = MPI.COMM_WORLD;
    int rank = world.getRank();
    int[] items = {rank + 1};
    int[] upToMe = new int[1];
    world.scan(items, upToMe, 1, MPI.INT, MPI.SUM);
    int[] beforeMe = new int[1];
    world.exScan(items, beforeMe, 1, MPI.INT, MPI.SUM);
    IntBuffer again = MPI.newIntBuffer(1).put(0, rank + 1);
    IntBuffer before = MPI.newIntBuffer(1);
    Request[] requests = {
      world.iScan(again, 1, MPI.INT, MPI.SUM),
      world.iExScan(MPI.newIntBuffer(1).put(0, rank + 1), before, 1, MPI.INT, MPI.SUM)
    };
    Request.waitAll(requests);
    boolean right =
        upToMe[0] == (rank + 1) * (rank + 2) / 2
            && (rank == 0 || beforeMe[0] == upToMe[0] - rank - 1)
            && again.get(0) == upToMe[0]
            && (rank == 0 || before.get(0) == beforeMe[0]);
    boolean[] everywhere = {right};
    world.allReduce(everywhere, 1, MPI.BOOLEAN, MPI.LAND);
    if (rank == world.getSize() - 1) {
      System.out.println(upToMe[0] + " items, all prefixes right: " + everywhere[0]);
    }
    MPI.Finalize();
  }
}
