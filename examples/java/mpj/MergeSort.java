import java.util.Arrays;
import java.util.Random;
import mpi.*;

/** Sorted parts are merged along a tree, from many ranks to one. */
public class MergeSort {
  private static final int EACH = 10;

  public static void main(String[] args) throws Exception {
    MPI.Init(args);
    int rank = MPI.COMM_WORLD.Rank();
    int size = MPI.COMM_WORLD.Size();
    int[] mine = new Random(rank + 5).ints(EACH, 0, 1000).toArray();
    Arrays.sort(mine);
    for (int step = 1; step < size; step *= 2) {
      if (rank % (2 * step) != 0) {
        MPI.COMM_WORLD.Send(mine, 0, mine.length, MPI.INT, rank - step, step);
        break;
      }
      if (rank + step < size) {
        int[] both = Arrays.copyOf(mine, mine.length + EACH * size);
        Status status =
            MPI.COMM_WORLD.Recv(both, mine.length, EACH * size, MPI.INT, rank + step, step);
        mine = Arrays.copyOf(both, mine.length + status.Get_count(MPI.INT));
        Arrays.sort(mine);
      }
    }
    if (rank == 0) {
      boolean sorted = true;
      for (int i = 1; i < mine.length; i++) {
        sorted &= mine[i - 1] <= mine[i];
      }
      System.out.println(mine.length + " numbers, sorted: " + sorted);
    }
    MPI.Finalize();
  }
}
