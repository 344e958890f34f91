import java.nio.IntBuffer;
import mpi.*;

/** Rank 0 does something else while it polls for everybody's message. */
public class Polling {
  public static void main(String[] args) throws MPIException {
    MPI.Init(args);
    int rank = MPI.COMM_WORLD.getRank();
    int size = MPI.COMM_WORLD.getSize();
    if (rank == 0) {
      int sum = 0;
      int got = 0;
      while (got < size - 1) {
        Status waiting = MPI.COMM_WORLD.iProbe(MPI.ANY_SOURCE, 5);
        if (waiting == null) {
          Thread.yield();
          continue;
        }
        IntBuffer numbers = MPI.newIntBuffer(waiting.getCount(MPI.INT));
        Request request =
            MPI.COMM_WORLD.iRecv(numbers, numbers.capacity(), MPI.INT, waiting.getSource(), 5);
        while (!request.test()) {
          Thread.yield();
        }
        for (int i = 0; i < numbers.capacity(); i++) {
          sum += numbers.get(i);
        }
        got++;
      }
      System.out.println("sum of all numbers: " + sum);
    } else {
      IntBuffer numbers = MPI.newIntBuffer(rank);
      for (int i = 0; i < rank; i++) {
        numbers.put(i, 10 * rank + i);
      }
      Request request = MPI.COMM_WORLD.iSend(numbers, rank, MPI.INT, 0, 5);
      while (request.testStatus() == null) {
        Thread.yield();
      }
    }
    MPI.Finalize();
  }
}
