import mpi.*;

/** The area under 4/(1+x*x) from 0 to 1. */
public class Pi {
  public static void main(String[] args) throws MPIException {
    MPI.Init(args);
    int rank = MPI.COMM_WORLD.getRank();
    int[] steps = {rank == 0 ? 10_000 : 0};
    MPI.COMM_WORLD.bcast(steps, 1, MPI.INT, 0);
    double width = 1.0 / steps[0];
    double[] part = new double[1];
    for (int i = rank; i < steps[0]; i += MPI.COMM_WORLD.getSize()) {
      double x = (i + 0.5) * width;
      part[0] += width * 4 / (1 + x * x);
    }
    double[] pi = new double[1];
    MPI.COMM_WORLD.reduce(part, pi, 1, MPI.DOUBLE, MPI.SUM, 0);
    if (rank == 0) {
      System.out.printf("pi is about %.6f%n", pi[0]);
    }
    MPI.Finalize();
  }
}
