import java.util.Arrays;
import java.util.Random;
import mpi.*;

/** Each rank is a bucket: numbers go to theirs by Alltoall and Alltoallv. */
public class BucketSort {
  private static final int EACH = 50;
  private static final int RANGE = 1000;

  public static void main(String[] args) throws Exception {
    MPI.Init(args);
    int rank = MPI.COMM_WORLD.Rank();
    int size = MPI.COMM_WORLD.Size();
    int[] mine = new Random(rank).ints(EACH, 0, RANGE).sorted().toArray();
    int[] counts = new int[size];
    for (int value : mine) {
      counts[value * size / RANGE]++;
    }
    int[] coming = new int[size];
    MPI.COMM_WORLD.Alltoall(counts, 0, 1, MPI.INT, coming, 0, 1, MPI.INT);
    int[] bucket = new int[Arrays.stream(coming).sum()];
    MPI.COMM_WORLD.Alltoallv(
        mine, 0, counts, starts(counts), MPI.INT, bucket, 0, coming, starts(coming), MPI.INT);
    Arrays.sort(bucket);
    int[] facts = {bucket.length, 0};
    for (int value : bucket) {
      facts[1] += value * size / RANGE == rank ? 0 : 1;
    }
    int[] all = new int[2];
    MPI.COMM_WORLD.Reduce(facts, 0, all, 0, 2, MPI.INT, MPI.SUM, 0);
    if (rank == 0) {
      System.out.println(all[0] + " numbers, " + all[1] + " in the wrong bucket");
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
