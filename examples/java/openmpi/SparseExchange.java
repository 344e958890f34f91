import java.nio.IntBuffer;
import mpi.*;

/**
 * Nobody knows how many messages it will get: synchronous sends, probes, and a barrier that is
 * entered when all own sends were received (Hoefler, Siebert, Lumsdaine 2010).
 */
public class SparseExchange {
  public static void main(String[] args) throws MPIException {
    MPI.Init(args);
    Intracomm world = MPI.COMM_WORLD;
    int rank = world.getRank();
    int size = world.getSize();
    Request[] sends = new Request[rank];
    for (int i = 0; i < rank; i++) {
      IntBuffer number = MPI.newIntBuffer(1).put(0, 100 * rank + i);
      sends[i] = world.isSend(number, 1, MPI.INT, (rank + 1 + i * i) % size, 9);
    }
    int[] facts = new int[2];
    Request barrier = null;
    boolean done = false;
    while (!done) {
      Status found = world.iProbe(MPI.ANY_SOURCE, 9);
      if (found != null) {
        int[] number = new int[1];
        world.recv(number, 1, MPI.INT, found.getSource(), 9);
        facts[0]++;
        facts[1] += number[0];
      }
      if (barrier != null) {
        done = barrier.test();
      } else if (Request.testAll(sends)) {
        barrier = world.iBarrier();
      }
    }
    world.reduce(facts, 2, MPI.INT, MPI.SUM, 0);
    if (rank == 0) {
      System.out.println(facts[0] + " messages, sum " + facts[1]);
    }
    MPI.Finalize();
  }
}
