import mpi.*;

/** MPI.LB and MPI.UB set the bounds of a type, wherever its elements are. */
public class Bounds {
  public static void main(String[] args) throws Exception {
    MPI.Init(args);
    Datatype four = Datatype.Contiguous(4, MPI.INT);
    expect(struct(new int[] {1, 1}, new int[] {0, 97}, four, MPI.UB), 0, 97);
    expect(struct(new int[] {1, 1}, new int[] {0, 97}, four, MPI.INT), 0, 98);
    expect(struct(new int[] {1, 1, 1}, new int[] {0, 3, 94}, four, MPI.LB, MPI.UB), 3, 94);
    expect(struct(new int[] {2, 1, 1}, new int[] {0, -3, 96}, four, MPI.LB, MPI.UB), -3, 96);
    expect(struct(new int[] {1, 1}, new int[] {0, 200}, four, MPI.LB), 200, 4);
    Datatype padded = struct(new int[] {1, 1}, new int[] {0, 5}, MPI.INT, MPI.UB);
    if (MPI.COMM_WORLD.Rank() == 0) {
      int[] data = new int[20];
      for (int i = 0; i < 20; i++) {
        data[i] = i;
      }
      MPI.COMM_WORLD.Send(data, 0, 3, padded, 1, 0);
    } else if (MPI.COMM_WORLD.Rank() == 1) {
      int[] got = new int[3];
      MPI.COMM_WORLD.Recv(got, 0, 3, MPI.INT, 0, 0);
      check(got[0] == 0 && got[1] == 5 && got[2] == 10, "items lie an extent apart");
    }
    MPI.COMM_WORLD.Barrier();
    if (MPI.COMM_WORLD.Rank() == 0) {
      System.out.println("Bounds: ok");
    }
    MPI.Finalize();
  }

  static Datatype struct(int[] lengths, int[] places, Datatype... types) throws Exception {
    Datatype type = Datatype.Struct(lengths, places, types);
    type.Commit();
    return type;
  }

  static void expect(Datatype type, int lb, int ub) throws Exception {
    check(
        type.Lb() == lb && type.Ub() == ub && type.Extent() == ub - lb,
        "bounds " + type.Lb() + " to " + type.Ub() + ", not " + lb + " to " + ub);
  }

  static void check(boolean right, String what) {
    if (!right) {
      throw new AssertionError(what);
    }
  }
}
