import mpi.*;

/** Datatypes with gaps leave the gaps alone, on both sides. */
public class Derived {
  public static void main(String[] args) throws Exception {
    MPI.Init(args);
    Datatype pair = Datatype.Contiguous(2, MPI.INT);
    Datatype column = Datatype.Vector(4, 1, 4, MPI.INT);
    Datatype pairs = Datatype.Vector(2, 1, 3, pair);
    Datatype hpairs = Datatype.Hvector(2, 1, 5, pair);
    Datatype indexed = Datatype.Indexed(new int[] {1, 3}, new int[] {5, 0}, MPI.INT);
    Datatype hindexed = Datatype.Hindexed(new int[] {1, 1}, new int[] {7, 1}, pair);
    Datatype struct =
        Datatype.Struct(
            new int[] {2, 1}, new int[] {1, 8}, new Datatype[] {MPI.INT, pair});
    for (Datatype type :
        new Datatype[] {pair, column, pairs, hpairs, indexed, hindexed, struct}) {
      type.Commit();
    }
    expect(pair, 2, 2, 0);
    expect(column, 4, 13, 0);
    expect(pairs, 4, 8, 0);
    expect(hpairs, 4, 7, 0);
    expect(indexed, 4, 6, 0);
    expect(hindexed, 4, 8, 1);
    expect(struct, 4, 9, 1);

    through(pair, 3, 0, 1, 2, 3, 4, 5);
    through(column, 1, 0, 4, 8, 12);
    through(pairs, 1, 0, 1, 6, 7);
    through(hpairs, 2, 0, 1, 5, 6, 7, 8, 12, 13);
    through(indexed, 1, 5, 0, 1, 2);
    through(hindexed, 1, 7, 8, 1, 2);
    through(struct, 1, 1, 2, 8, 9);
    partOfAnItem(column);
    objectsWithGaps();
    MPI.COMM_WORLD.Barrier();
    if (MPI.COMM_WORLD.Rank() == 0) {
      System.out.println("Derived: ok");
    }
    MPI.Finalize();
  }

  static void expect(Datatype type, int size, int extent, int lb) throws Exception {
    check(type.Size() == size, "size " + type.Size());
    check(type.Extent() == extent, "extent " + type.Extent());
    check(type.Lb() == lb && type.Ub() == lb + extent, "bounds " + type.Lb() + " " + type.Ub());
  }

  /** Sends items, receives them as plain ints; then the other way round. */
  static void through(Datatype type, int items, int... places) throws Exception {
    int me = MPI.COMM_WORLD.Rank();
    int[] counting = new int[40];
    for (int i = 0; i < 40; i++) {
      counting[i] = 100 + i;
    }
    if (me == 0) {
      MPI.COMM_WORLD.Send(counting, 3, items, type, 1, 1);
      MPI.COMM_WORLD.Send(counting, 0, places.length, MPI.INT, 1, 2);
    } else if (me == 1) {
      int[] plain = new int[places.length];
      MPI.COMM_WORLD.Recv(plain, 0, plain.length, MPI.INT, 0, 1);
      for (int i = 0; i < places.length; i++) {
        check(plain[i] == 100 + 3 + places[i], "sent element " + i + ": " + plain[i]);
      }
      int[] spread = new int[40];
      MPI.COMM_WORLD.Recv(spread, 3, items, type, 0, 2);
      int[] expected = new int[40];
      for (int i = 0; i < places.length; i++) {
        expected[3 + places[i]] = 100 + i;
      }
      check(java.util.Arrays.equals(expected, spread), "gaps stay");
    }
  }

  static void partOfAnItem(Datatype column) throws Exception {
    int me = MPI.COMM_WORLD.Rank();
    if (me == 0) {
      MPI.COMM_WORLD.Send(new int[] {1, 2, 3}, 0, 3, MPI.INT, 1, 5);
    } else if (me == 1) {
      int[] matrix = new int[16];
      Request request = MPI.COMM_WORLD.Irecv(matrix, 1, 1, column, 0, 5);
      request.Wait();
      check(matrix[1] == 1 && matrix[5] == 2 && matrix[9] == 3 && matrix[13] == 0, "part");
    }
  }

  static void objectsWithGaps() throws Exception {
    Datatype every2nd = Datatype.Vector(3, 1, 2, MPI.OBJECT);
    every2nd.Commit();
    int me = MPI.COMM_WORLD.Rank();
    if (me == 0) {
      MPI.COMM_WORLD.Send(
          new Object[] {"a", "b", "c", "d", "e"}, 0, 1, every2nd, 1, 6);
    } else if (me == 1) {
      Object[] got = {"x", "x", "x", "x", "x"};
      MPI.COMM_WORLD.Recv(got, 0, 1, every2nd, 0, 6);
      check(String.join("", (String) got[0], (String) got[1], (String) got[2]).equals("axc"), "o");
    }
  }

  static void check(boolean right, String what) {
    if (!right) {
      throw new AssertionError(what);
    }
  }
}
