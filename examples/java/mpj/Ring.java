import mpi.*;

/** Everybody sends to the right and receives from the left until its own number is back. */
public class Ring {
  public static void main(String[] args) throws Exception {
    MPI.Init(args);
    int rank = MPI.COMM_WORLD.Rank();
    int size = MPI.COMM_WORLD.Size();
    int[] moving = {rank};
    int sum = 0;
    for (int step = 0; step < size; step++) {
      sum += moving[0];
      MPI.COMM_WORLD.Sendrecv_replace(
          moving, 0, 1, MPI.INT, (rank + 1) % size, step, (rank + size - 1) % size, step);
    }
    int[] same = {sum == size * (size - 1) / 2 && moving[0] == rank ? 1 : 0};
    int[] all = new int[1];
    MPI.COMM_WORLD.Reduce(same, 0, all, 0, 1, MPI.INT, MPI.SUM, 0);
    if (rank == 0) {
      System.out.println(all[0] + " ranks have the sum " + sum);
    }
    MPI.Finalize();
  }
}
