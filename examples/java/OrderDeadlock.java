/*
 * OrderDeadlock: hangs in one of two orders.
 *
 * Rank 0 takes a message from anybody and then one from rank 2. If the first one was rank 2's own, no second one will
 * ever come. The program works as long as rank 1 is faster.
 *
 *     reprise run -n 3 OrderDeadlock.java
 *     reprise enumerate -n 3 OrderDeadlock.java     # 2 executions, one of them a deadlock, kept as a run
 */
import mpi.MPI;

public class OrderDeadlock {
  private static final int REPORT = 1;

  public static void main(String[] args) throws Exception {
    MPI.Init(args);
    int rank = MPI.COMM_WORLD.Rank();
    int[] report = {rank};
    if (rank == 0) {
      MPI.COMM_WORLD.Recv(report, 0, 1, MPI.INT, MPI.ANY_SOURCE, REPORT);
      int first = report[0];
      MPI.COMM_WORLD.Recv(report, 0, 1, MPI.INT, 2, REPORT);
      System.out.println("reports of " + first + " and " + report[0]);
    } else if (rank <= 2) {
      MPI.COMM_WORLD.Send(report, 0, 1, MPI.INT, 0, REPORT);
    }
    MPI.Finalize();
  }
}
