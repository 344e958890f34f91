/*
 * ReceiveRace: the answer depends on the order in which messages arrive.
 *
 * Every worker sends its number to rank 0, which takes what comes first (ANY_SOURCE) and writes the digits behind each
 * other. Three workers can arrive in 3! = 6 orders, and each gives another answer.
 *
 *     reprise run -n 4 ReceiveRace.java             # perhaps another answer each time
 *     reprise run -n 4 --seed 7 ReceiveRace.java    # the same each time
 *     reprise enumerate -n 4 ReceiveRace.java       # all six
 */
import mpi.MPI;

public class ReceiveRace {
  private static final int NUMBER = 1;

  public static void main(String[] args) throws Exception {
    MPI.Init(args);
    int rank = MPI.COMM_WORLD.Rank();
    int size = MPI.COMM_WORLD.Size();
    int[] number = {rank};
    if (rank == 0) {
      long answer = 0;
      for (int i = 1; i < size; i++) {
        MPI.COMM_WORLD.Recv(number, 0, 1, MPI.INT, MPI.ANY_SOURCE, NUMBER);
        answer = answer * 10 + number[0];
      }
      System.out.println("answer = " + answer);
    } else {
      MPI.COMM_WORLD.Send(number, 0, 1, MPI.INT, 0, NUMBER);
    }
    MPI.Finalize();
  }
}
