import java.util.Arrays;
import java.util.stream.IntStream;
import mpi.*;

/** Each rank looks for primes in its part; rank 0 collects as many as each has found. */
public class Primes {
  private static final int LIMIT = 200;

  public static void main(String[] args) throws MPIException {
    MPI.Init(args);
    Intracomm world = MPI.COMM_WORLD;
    int rank = world.getRank();
    int size = world.getSize();
    int[] mine =
        IntStream.range(Math.max(2, LIMIT * rank / size), LIMIT * (rank + 1) / size)
            .filter(n -> IntStream.rangeClosed(2, (int) Math.sqrt(n)).noneMatch(d -> n % d == 0))
            .toArray();
    int[] counts = new int[size];
    counts[rank] = mine.length;
    world.allGather(counts, 1, MPI.INT);
    int[] starts = new int[size];
    for (int i = 1; i < size; i++) {
      starts[i] = starts[i - 1] + counts[i - 1];
    }
    if (rank == 0) {
      int[] all = Arrays.copyOf(mine, starts[size - 1] + counts[size - 1]);
      world.gatherv(all, counts, starts, MPI.INT, 0);
      System.out.println(all.length + " primes, the last one " + all[all.length - 1]);
    } else {
      world.gatherv(mine, mine.length, MPI.INT, 0);
    }
    MPI.Finalize();
  }
}
