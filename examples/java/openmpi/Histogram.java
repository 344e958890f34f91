import java.util.Random;
import mpi.*;

/** Everybody counts its own numbers; each rank gets the sums of some of the bins. */
public class Histogram {
  private static final int BINS_EACH = 2;

  public static void main(String[] args) throws MPIException {
    MPI.Init(args);
    Intracomm world = MPI.COMM_WORLD;
    int size = world.getSize();
    int[] bins = new int[BINS_EACH * size];
    new Random(world.getRank()).ints(1000, 0, bins.length).forEach(bin -> bins[bin]++);
    int[] block = new int[BINS_EACH];
    world.reduceScatterBlock(bins, block, BINS_EACH, MPI.INT, MPI.SUM);
    int[] counts = new int[size];
    java.util.Arrays.fill(counts, BINS_EACH);
    int[] same = new int[BINS_EACH];
    world.reduceScatter(bins, same, counts, MPI.INT, MPI.SUM);
    int[] facts = {block[0] + block[1], java.util.Arrays.equals(block, same) ? 0 : 1};
    world.reduce(facts, 2, MPI.INT, MPI.SUM, 0);
    if (world.getRank() == 0) {
      System.out.println(facts[0] + " numbers, " + facts[1] + " ranks with different bins");
    }
    MPI.Finalize();
  }
}
