import java.util.Arrays;
import mpi.*;

/** Every basic type of elements arrives as it was sent. */
public class Types {
  static final int N = 7;

  public static void main(String[] args) throws Exception {
    MPI.Init(args);
    int me = MPI.COMM_WORLD.Rank();
    byte[] bytes = new byte[N];
    char[] chars = new char[N];
    short[] shorts = new short[N];
    boolean[] booleans = new boolean[N];
    int[] ints = new int[N];
    long[] longs = new long[N];
    float[] floats = new float[N];
    double[] doubles = new double[N];
    Object[] objects = new Object[N];
    for (int i = 0; i < N; i++) {
      bytes[i] = (byte) (i * 40);
      chars[i] = (char) (60000 + i);
      shorts[i] = (short) (-30000 - i);
      booleans[i] = i % 3 == 0;
      ints[i] = Integer.MIN_VALUE + i;
      longs[i] = Long.MAX_VALUE - i;
      floats[i] = i / 3f;
      doubles[i] = -i / 7.0;
      objects[i] = i % 2 == 0 ? "text " + i : Arrays.asList(i, i + 1);
    }
    Object[] all = {bytes, chars, shorts, booleans, ints, longs, floats, doubles, objects};
    Datatype[] types = {
      MPI.BYTE, MPI.CHAR, MPI.SHORT, MPI.BOOLEAN, MPI.INT, MPI.LONG, MPI.FLOAT, MPI.DOUBLE, MPI.OBJECT
    };
    for (int t = 0; t < all.length; t++) {
      if (me == 0) {
        MPI.COMM_WORLD.Send(all[t], 1, N - 1, types[t], 1, t);
      } else if (me == 1) {
        Object got = java.lang.reflect.Array.newInstance(all[t].getClass().getComponentType(), N);
        Status status = MPI.COMM_WORLD.Recv(got, 1, N - 1, types[t], 0, t);
        if (types[t] != MPI.OBJECT) {
          check(status.Get_count(types[t]) == N - 1, "count of type " + t);
        }
        for (int i = 1; i < N; i++) {
          Object expected = java.lang.reflect.Array.get(all[t], i);
          Object found = java.lang.reflect.Array.get(got, i);
          check(expected.equals(found), "element " + i + " of type " + t + ": " + found);
          check(types[t] != MPI.OBJECT || expected != found, "objects are copies");
        }
      }
    }
    if (me == 0) {
      String[] words = {"one", "two", null};
      double[][] matrix = {{1, 2}, {3}};
      MPI.COMM_WORLD.Send(words, 0, 3, MPI.OBJECT, 1, 20);
      MPI.COMM_WORLD.Send(matrix, 0, 2, MPI.OBJECT, 1, 21);
      MPI.COMM_WORLD.Send(new int[0], 0, 0, MPI.INT, 1, 22);
    } else if (me == 1) {
      String[] words = new String[3];
      double[][] matrix = new double[2][];
      MPI.COMM_WORLD.Recv(words, 0, 3, MPI.OBJECT, 0, 20);
      MPI.COMM_WORLD.Recv(matrix, 0, 2, MPI.OBJECT, 0, 21);
      Status status = MPI.COMM_WORLD.Recv(new int[5], 0, 5, MPI.INT, 0, 22);
      check(words[1].equals("two") && words[2] == null, "words");
      check(matrix[0][1] == 2 && matrix[1].length == 1, "rows of a matrix");
      check(status.Get_count(MPI.INT) == 0, "an empty message");
    }
    MPI.COMM_WORLD.Barrier();
    if (me == 0) {
      System.out.println("Types: ok");
    }
    MPI.Finalize();
  }

  static void check(boolean right, String what) {
    if (!right) {
      throw new AssertionError(what);
    }
  }
}
