import mpi.*;

/** Two vectors are dealt out, multiplied in parts, and the parts added everywhere. */
public class DotProduct {
  public static void main(String[] args) throws MPIException {
    MPI.Init(args);
    Intracomm world = MPI.COMM_WORLD;
    int size = world.getSize();
    int each = 8;
    double[] a = new double[each * size];
    double[] b = new double[each * size];
    if (world.getRank() == 0) {
      for (int i = 0; i < a.length; i++) {
        a[i] = i;
        b[i] = 2;
      }
    }
    double[] x = new double[each];
    double[] y = new double[each];
    world.scatter(a, each, MPI.DOUBLE, x, each, MPI.DOUBLE, 0);
    world.scatter(b, each, MPI.DOUBLE, y, each, MPI.DOUBLE, 0);
    double[] sum = new double[1];
    for (int i = 0; i < each; i++) {
      sum[0] += x[i] * y[i];
    }
    double[] total = new double[1];
    world.allReduce(sum, total, 1, MPI.DOUBLE, MPI.SUM);
    int n = a.length;
    if (total[0] != n * (n - 1)) {
      throw new IllegalStateException("wrong: " + total[0]);
    }
    if (world.getRank() == 0) {
      System.out.println("dot product " + (long) total[0]);
    }
    MPI.Finalize();
  }
}
