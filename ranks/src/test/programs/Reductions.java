import mpi.*;

/** Reductions: predefined ones over the types they take, places of extremes, functions. */
public class Reductions {
  static int me;
  static int size;

  public static void main(String[] args) throws Exception {
    MPI.Init(args);
    me = MPI.COMM_WORLD.Rank();
    size = MPI.COMM_WORLD.Size();
    numbers();
    bits();
    logic();
    places();
    function();
    prefixes();
    scattered();
    MPI.COMM_WORLD.Barrier();
    if (me == 0) {
      System.out.println("Reductions: ok");
    }
    MPI.Finalize();
  }

  static void numbers() throws Exception {
    int sum = size * (size + 1) / 2;
    int product = 1;
    for (int i = 1; i <= size; i++) {
      product *= i;
    }
    Op[] ops = {MPI.SUM, MPI.PROD, MPI.MAX, MPI.MIN};
    int[] right = {sum, product, size, 1};
    for (int o = 0; o < ops.length; o++) {
      int[] ints = new int[3];
      MPI.COMM_WORLD.Allreduce(new int[] {9, me + 1, 9}, 1, ints, 1, 1, MPI.INT, ops[o]);
      check(ints[1] == right[o] && ints[0] == 0 && ints[2] == 0, "int " + o);
      long[] longs = new long[1];
      MPI.COMM_WORLD.Allreduce(new long[] {me + 1}, 0, longs, 0, 1, MPI.LONG, ops[o]);
      check(longs[0] == right[o], "long " + o);
      short[] shorts = new short[1];
      MPI.COMM_WORLD.Allreduce(
          new short[] {(short) (me + 1)}, 0, shorts, 0, 1, MPI.SHORT, ops[o]);
      check(shorts[0] == right[o], "short " + o);
      byte[] bytes = new byte[1];
      MPI.COMM_WORLD.Allreduce(new byte[] {(byte) (me + 1)}, 0, bytes, 0, 1, MPI.BYTE, ops[o]);
      check(bytes[0] == (byte) right[o], "byte " + o);
      float[] floats = new float[1];
      MPI.COMM_WORLD.Allreduce(new float[] {me + 1}, 0, floats, 0, 1, MPI.FLOAT, ops[o]);
      check(floats[0] == right[o], "float " + o);
      double[] doubles = new double[2];
      int root = size - 1;
      MPI.COMM_WORLD.Reduce(
          new double[] {me + 1, -me - 1}, 0, doubles, 0, 1, MPI.DOUBLE, ops[o], root);
      check(me != root || doubles[0] == right[o] && doubles[1] == 0, "double " + o);
    }
  }

  static void bits() throws Exception {
    int[] ints = new int[3];
    MPI.COMM_WORLD.Allreduce(new int[] {1 << me}, 0, ints, 0, 1, MPI.INT, MPI.BOR);
    MPI.COMM_WORLD.Allreduce(new int[] {7 << me}, 0, ints, 1, 1, MPI.INT, MPI.BXOR);
    MPI.COMM_WORLD.Allreduce(new int[] {~(1 << me)}, 0, ints, 2, 1, MPI.INT, MPI.BAND);
    int xor = 0;
    for (int r = 0; r < size; r++) {
      xor ^= 7 << r;
    }
    check(ints[0] == (1 << size) - 1 && ints[1] == xor && ints[2] == ~((1 << size) - 1), "bits");
    long[] longs = new long[1];
    MPI.COMM_WORLD.Allreduce(new long[] {1L << (40 + me)}, 0, longs, 0, 1, MPI.LONG, MPI.BOR);
    check(longs[0] == ((1L << size) - 1) << 40, "long bits");
  }

  static void logic() throws Exception {
    boolean[] got = new boolean[3];
    boolean[] mine = {me != 1};
    MPI.COMM_WORLD.Allreduce(mine, 0, got, 0, 1, MPI.BOOLEAN, MPI.LAND);
    MPI.COMM_WORLD.Allreduce(mine, 0, got, 1, 1, MPI.BOOLEAN, MPI.LOR);
    MPI.COMM_WORLD.Allreduce(mine, 0, got, 2, 1, MPI.BOOLEAN, MPI.LXOR);
    check(!got[0] && got[1] && got[2] == ((size - 1) % 2 == 1), "logic");
  }

  static void places() throws Exception {
    int[] pairs = {me % 2, me, -me, me};
    int[] got = new int[4];
    MPI.COMM_WORLD.Allreduce(pairs, 0, got, 0, 2, MPI.INT2, MPI.MAXLOC);
    check(got[0] == 1 && got[1] == 1 && got[2] == 0 && got[3] == 0, "maxloc");
    MPI.COMM_WORLD.Allreduce(pairs, 0, got, 0, 2, MPI.INT2, MPI.MINLOC);
    check(got[0] == 0 && got[1] == 0 && got[2] == 1 - size && got[3] == size - 1, "minloc");
    double[] doubles = {Math.abs(me - 1.5), me};
    double[] best = new double[2];
    MPI.COMM_WORLD.Reduce(doubles, 0, best, 0, 1, MPI.DOUBLE2, MPI.MINLOC, 0);
    check(me != 0 || best[0] == 0.5 && best[1] == 1, "the lower of two equal places");
  }

  /** Composition of x -> a*x + b, which does not commute. */
  static class Compose extends User_function {
    public void Call(
        Object in, int inAt, Object inout, int inoutAt, int count, Datatype type) {
      long[] f = (long[]) in;
      long[] g = (long[]) inout;
      for (int i = 0; i < 2 * count; i += 2) {
        long a = f[inAt + i] * g[inoutAt + i];
        long b = f[inAt + i + 1] * g[inoutAt + i] + g[inoutAt + i + 1];
        g[inoutAt + i] = a;
        g[inoutAt + i + 1] = b;
      }
    }
  }

  static void function() throws Exception {
    Op compose = new Op(new Compose(), false);
    long[] mine = {2, me};
    long[] got = new long[2];
    MPI.COMM_WORLD.Reduce(mine, 0, got, 0, 1, MPI.LONG2, compose, 0);
    long a = 1;
    long b = 0;
    for (int r = 0; r < size; r++) {
      a = 2 * a;
      b = 2 * b + r;
    }
    check(me != 0 || got[0] == a && got[1] == b, "composed in the order of ranks");
    check(mine[0] == 2 && mine[1] == me, "what is sent stays");
    compose.free();
  }

  static void prefixes() throws Exception {
    int[] got = new int[2];
    MPI.COMM_WORLD.Scan(new int[] {me + 1, 1}, 0, got, 0, 2, MPI.INT, MPI.SUM);
    check(got[0] == (me + 1) * (me + 2) / 2 && got[1] == me + 1, "scan");
  }

  static void scattered() throws Exception {
    int[] counts = new int[size];
    int all = 0;
    for (int r = 0; r < size; r++) {
      counts[r] = r % 3 + 1;
      all += counts[r];
    }
    int[] mine = new int[all];
    for (int i = 0; i < all; i++) {
      mine[i] = i + me;
    }
    int[] got = new int[4];
    MPI.COMM_WORLD.Reduce_scatter(mine, 0, got, 0, counts, MPI.INT, MPI.SUM);
    int start = 0;
    for (int r = 0; r < me; r++) {
      start += counts[r];
    }
    for (int i = 0; i < 4; i++) {
      int right = i < counts[me] ? size * (start + i) + size * (size - 1) / 2 : 0;
      check(got[i] == right, "reduce_scatter " + i + ": " + got[i]);
    }
  }

  static void check(boolean right, String what) {
    if (!right) {
      throw new AssertionError(what);
    }
  }
}
