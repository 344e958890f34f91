import mpi.*;

/** Two long numbers are added in parts; a scan says who gets a carry. */
public class Carry {
  /** Whether a part passes a carry on (1), makes one (2) or neither (0). */
  private static class Combine extends User_function {
    @Override
    public void Call(Object in, int inAt, Object inOut, int at, int count, Datatype type) {
      int[] left = (int[]) in;
      int[] right = (int[]) inOut;
      for (int i = 0; i < count; i++) {
        right[at + i] = right[at + i] == 1 ? left[inAt + i] : right[at + i];
      }
    }
  }

  public static void main(String[] args) throws Exception {
    MPI.Init(args);
    int rank = MPI.COMM_WORLD.Rank();
    int size = MPI.COMM_WORLD.Size();
    // Rank 0 has the lowest digit: 9...95 + 5, so the carry goes all the way.
    int sum = rank == 0 ? 5 + 5 : 9;
    int[] kind = {sum > 9 ? 2 : sum == 9 ? 1 : 0};
    int[] upToMe = new int[1];
    Op combine = new Op(new Combine(), false);
    MPI.COMM_WORLD.Scan(kind, 0, upToMe, 0, 1, MPI.INT, combine);
    int[] carry = new int[1];
    int to = rank == size - 1 ? MPI.PROC_NULL : rank + 1;
    int from = rank == 0 ? MPI.PROC_NULL : rank - 1;
    MPI.COMM_WORLD.Sendrecv(
        new int[] {upToMe[0] == 2 ? 1 : 0}, 0, 1, MPI.INT, to, 0, carry, 0, 1, MPI.INT, from, 0);
    int[] digit = {(sum + carry[0]) % 10};
    int[] digits = new int[size];
    MPI.COMM_WORLD.Gather(digit, 0, 1, MPI.INT, digits, 0, 1, MPI.INT, 0);
    if (rank == 0) {
      System.out.println("digits " + java.util.Arrays.toString(digits));
    }
    combine.free();
    MPI.Finalize();
  }
}
