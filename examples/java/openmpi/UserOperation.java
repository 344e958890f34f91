import mpi.*;

/** A product of 2x2 matrices, which does not commute, as an operation of the program's own. */
public class UserOperation {
  /** The product in the order of ranks. */
  private static class Product extends UserFunction {
    @Override
    public void call(Object in, Object inOut, int count, Datatype type) throws MPIException {
      long[] a = (long[]) in;
      long[] b = (long[]) inOut;
      for (int i = 0; i < 4 * count; i += 4) {
        long[] c = {
          a[i] * b[i] + a[i + 1] * b[i + 2],
          a[i] * b[i + 1] + a[i + 1] * b[i + 3],
          a[i + 2] * b[i] + a[i + 3] * b[i + 2],
          a[i + 2] * b[i + 1] + a[i + 3] * b[i + 3]
        };
        System.arraycopy(c, 0, b, i, 4);
      }
    }
  }

  public static void main(String[] args) throws MPIException {
    MPI.Init(args);
    int rank = MPI.COMM_WORLD.getRank();
    Datatype matrix = Datatype.createContiguous(4, MPI.LONG);
    matrix.commit();
    Op product = new Op(new Product(), false);
    long[] mine = {1, rank, 0, 1 + rank % 2};
    long[] all = new long[4];
    MPI.COMM_WORLD.allReduce(mine, all, 1, matrix, product);
    long[] upToMe = new long[4];
    MPI.COMM_WORLD.scan(mine, upToMe, 1, matrix, product);
    if (rank == MPI.COMM_WORLD.getSize() - 1) {
      System.out.println(
          java.util.Arrays.toString(all) + " " + java.util.Arrays.equals(all, upToMe));
    }
    product.free();
    matrix.free();
    MPI.Finalize();
  }
}
