import java.util.Arrays;
import java.util.Random;
import mpi.*;

/** Samples of all ranks say where to cut; then everybody sends everybody its part. */
public class SampleSort {
  private static final int EACH = 40;

  public static void main(String[] args) throws MPIException {
    MPI.Init(args);
    Intracomm world = MPI.COMM_WORLD;
    int size = world.getSize();
    int[] mine = new Random(7 * world.getRank()).ints(EACH, 0, 1000).toArray();
    Arrays.sort(mine);
    int[] samples = new int[size * size];
    for (int i = 0; i < size; i++) {
      samples[world.getRank() * size + i] = mine[i * EACH / size];
    }
    world.allGather(samples, size, MPI.INT);
    Arrays.sort(samples);
    int[] counts = new int[size];
    for (int value : mine) {
      int bucket = 0;
      while (bucket < size - 1 && value >= samples[(bucket + 1) * size]) {
        bucket++;
      }
      counts[bucket]++;
    }
    int[] coming = new int[size];
    world.allToAll(counts, 1, MPI.INT, coming, 1, MPI.INT);
    int[] from = starts(coming);
    int[] part = new int[Arrays.stream(coming).sum()];
    world.allToAllv(mine, counts, starts(counts), MPI.INT, part, coming, from, MPI.INT);
    Arrays.sort(part);
    int[] edges = {part.length == 0 ? 0 : part[0], part.length == 0 ? 0 : part[part.length - 1]};
    int[] all = new int[2 * size];
    world.gather(edges, 2, MPI.INT, all, 2, MPI.INT, 0);
    int[] total = {part.length};
    world.allReduce(total, 1, MPI.INT, MPI.SUM);
    if (world.getRank() == 0) {
      boolean ordered = true;
      for (int i = 1; i < size; i++) {
        ordered &= all[2 * i - 1] <= all[2 * i];
      }
      System.out.println(total[0] + " numbers, " + (ordered ? "in order" : "out of order"));
    }
    MPI.Finalize();
  }

  private static int[] starts(int[] counts) {
    int[] starts = new int[counts.length];
    for (int i = 1; i < counts.length; i++) {
      starts[i] = starts[i - 1] + counts[i - 1];
    }
    return starts;
  }
}
