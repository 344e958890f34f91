import java.util.Arrays;
import java.util.Random;
import mpi.*;

/** Neighbours exchange blocks; the left one keeps the smaller half. */
public class OddEvenSort {
  private static final int EACH = 6;

  public static void main(String[] args) throws MPIException {
    MPI.Init(args);
    Intracomm world = MPI.COMM_WORLD;
    int rank = world.getRank();
    int size = world.getSize();
    int[] mine = new Random(rank).ints(EACH, 0, 100).toArray();
    Arrays.sort(mine);
    for (int phase = 0; phase < size; phase++) {
      int partner = (rank + phase) % 2 == 0 ? rank + 1 : rank - 1;
      if (partner < 0 || partner >= size) {
        continue;
      }
      int[] theirs = new int[EACH];
      world.sendRecv(mine, EACH, MPI.INT, partner, phase, theirs, EACH, MPI.INT, partner, phase);
      int[] both = Arrays.copyOf(mine, 2 * EACH);
      System.arraycopy(theirs, 0, both, EACH, EACH);
      Arrays.sort(both);
      mine = Arrays.copyOfRange(both, rank < partner ? 0 : EACH, rank < partner ? EACH : 2 * EACH);
    }
    int[] all = new int[EACH * size];
    world.gather(mine, EACH, MPI.INT, all, EACH, MPI.INT, 0);
    if (rank == 0) {
      int[] sorted = all.clone();
      Arrays.sort(sorted);
      System.out.println(Arrays.equals(all, sorted) ? "sorted" : "not sorted");
    }
    MPI.Finalize();
  }
}
