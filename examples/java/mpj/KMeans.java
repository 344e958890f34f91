import mpi.*;

/** k-means of points on a line: everybody sums up its own points, all reduce, until nothing moves. */
public class KMeans {
  public static void main(String[] args) throws Exception {
    MPI.Init(args);
    int me = MPI.COMM_WORLD.Rank();
    int size = MPI.COMM_WORLD.Size();
    int points = 60;
    int k = 3;
    int[] centres = {0, 50, 300};
    int rounds = 0;
    boolean[] moved = {true};
    while (moved[0]) {
      int[] sums = new int[2 * k];
      for (int p = me; p < points; p += size) {
        int x = p % 3 * 100 + p % 7;
        int nearest = 0;
        for (int c = 1; c < k; c++) {
          if (Math.abs(x - centres[c]) < Math.abs(x - centres[nearest])) {
            nearest = c;
          }
        }
        sums[2 * nearest] += x;
        sums[2 * nearest + 1]++;
      }
      int[] all = new int[2 * k];
      MPI.COMM_WORLD.Allreduce(sums, 0, all, 0, 2 * k, MPI.INT, MPI.SUM);
      boolean[] mine = {false};
      for (int c = 0; c < k; c++) {
        int next = all[2 * c + 1] == 0 ? centres[c] : all[2 * c] / all[2 * c + 1];
        mine[0] |= next != centres[c];
        centres[c] = next;
      }
      MPI.COMM_WORLD.Allreduce(mine, 0, moved, 0, 1, MPI.BOOLEAN, MPI.LOR);
      rounds++;
    }
    if (me == size - 1) {
      System.out.println(
          "centres " + centres[0] + " " + centres[1] + " " + centres[2] + " after " + rounds);
    }
    MPI.Finalize();
  }
}
