import java.util.Arrays;
import mpi.*;

/** Every collective call that moves data, with every root. */
public class Collectives {
  static int me;
  static int size;

  public static void main(String[] args) throws Exception {
    MPI.Init(args);
    me = MPI.COMM_WORLD.Rank();
    size = MPI.COMM_WORLD.Size();
    for (int root = 0; root < size; root++) {
      bcast(root);
      gather(root);
      gatherv(root);
      scatter(root);
      scatterv(root);
    }
    allgather();
    alltoall();
    MPI.COMM_WORLD.Barrier();
    if (me == 0) {
      System.out.println("Collectives: ok");
    }
    MPI.Finalize();
  }

  static void bcast(int root) throws Exception {
    double[] data = new double[5];
    if (me == root) {
      Arrays.fill(data, 1, 4, root + 0.5);
    }
    MPI.COMM_WORLD.Bcast(data, 1, 3, MPI.DOUBLE, root);
    check(data[0] == 0 && data[1] == root + 0.5 && data[3] == root + 0.5 && data[4] == 0, "bcast");
  }

  static void gather(int root) throws Exception {
    int[] all = new int[2 * size + 1];
    MPI.COMM_WORLD.Gather(new int[] {me, -me}, 0, 2, MPI.INT, all, 1, 2, MPI.INT, root);
    for (int r = 0; me == root && r < size; r++) {
      check(all[1 + 2 * r] == r && all[2 + 2 * r] == -r, "gather of " + r);
    }
  }

  /** Rank r gives r + 1 elements; they are put down in reverse order with gaps. */
  static void gatherv(int root) throws Exception {
    int[] mine = new int[me + 1];
    Arrays.fill(mine, 10 + me);
    int[] counts = new int[size];
    int[] places = new int[size];
    for (int r = 0; r < size; r++) {
      counts[r] = r + 1;
      places[r] = (size - 1 - r) * (size + 1);
    }
    int[] all = new int[size * (size + 1)];
    MPI.COMM_WORLD.Gatherv(mine, 0, me + 1, MPI.INT, all, 0, counts, places, MPI.INT, root);
    for (int r = 0; me == root && r < size; r++) {
      check(all[places[r]] == 10 + r && all[places[r] + r] == 10 + r, "gatherv of " + r);
      check(all[places[r] + r + 1] == 0, "gap behind " + r);
    }
  }

  static void scatter(int root) throws Exception {
    long[] all = new long[2 * size];
    for (int i = 0; me == root && i < all.length; i++) {
      all[i] = i;
    }
    long[] mine = new long[2];
    MPI.COMM_WORLD.Scatter(all, 0, 2, MPI.LONG, mine, 0, 2, MPI.LONG, root);
    check(mine[0] == 2 * me && mine[1] == 2 * me + 1, "scatter");
  }

  static void scatterv(int root) throws Exception {
    int[] counts = new int[size];
    int[] places = new int[size];
    byte[] all = new byte[size * size];
    for (int r = 0; r < size; r++) {
      counts[r] = size - r;
      places[r] = r * size;
      Arrays.fill(all, places[r], places[r] + size - r, (byte) (r + 1));
    }
    byte[] mine = new byte[size + 1];
    MPI.COMM_WORLD.Scatterv(all, 0, counts, places, MPI.BYTE, mine, 0, size - me, MPI.BYTE, root);
    check(mine[size - me - 1] == me + 1 && mine[size - me] == 0, "scatterv");
  }

  static void allgather() throws Exception {
    char[] all = new char[size];
    MPI.COMM_WORLD.Allgather(
        new char[] {(char) ('a' + me)}, 0, 1, MPI.CHAR, all, 0, 1, MPI.CHAR);
    check(new String(all).equals("abcdefghij".substring(0, size)), "allgather");
    int[] counts = new int[size];
    int[] places = new int[size];
    for (int r = 0; r < size; r++) {
      counts[r] = r % 2 + 1;
      places[r] = 3 * r;
    }
    float[] mine = {me, me};
    float[] floats = new float[3 * size];
    MPI.COMM_WORLD.Allgatherv(
        mine, 0, counts[me], MPI.FLOAT, floats, 0, counts, places, MPI.FLOAT);
    for (int r = 0; r < size; r++) {
      check(floats[3 * r] == r && floats[3 * r + 1] == (r % 2 == 1 ? r : 0), "allgatherv " + r);
    }
  }

  static void alltoall() throws Exception {
    int[] out = new int[size];
    int[] in = new int[size];
    for (int r = 0; r < size; r++) {
      out[r] = 100 * me + r;
    }
    MPI.COMM_WORLD.Alltoall(out, 0, 1, MPI.INT, in, 0, 1, MPI.INT);
    for (int r = 0; r < size; r++) {
      check(in[r] == 100 * r + me, "alltoall from " + r);
    }
    // Rank s sends s + r elements to rank r.
    int[] sendCounts = new int[size];
    int[] sendPlaces = new int[size];
    int[] recvCounts = new int[size];
    int[] recvPlaces = new int[size];
    for (int r = 0; r < size; r++) {
      sendCounts[r] = me + r;
      recvCounts[r] = r + me;
      sendPlaces[r] = r * 2 * size;
      recvPlaces[r] = r * 2 * size;
    }
    out = new int[2 * size * size];
    in = new int[2 * size * size];
    for (int r = 0; r < size; r++) {
      Arrays.fill(out, sendPlaces[r], sendPlaces[r] + sendCounts[r], 1000 + 100 * me + r);
    }
    MPI.COMM_WORLD.Alltoallv(
        out, 0, sendCounts, sendPlaces, MPI.INT, in, 0, recvCounts, recvPlaces, MPI.INT);
    for (int r = 0; r < size; r++) {
      for (int i = 0; i < 2 * size; i++) {
        int expected = i < r + me ? 1000 + 100 * r + me : 0;
        check(in[recvPlaces[r] + i] == expected, "alltoallv from " + r);
      }
    }
  }

  static void check(boolean right, String what) {
    if (!right) {
      throw new AssertionError(what);
    }
  }
}
