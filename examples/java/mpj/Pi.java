import mpi.*;

/** Pi by the midpoint rule, added up by hand with messages from anybody. */
public class Pi {
  public static void main(String[] args) throws Exception {
    MPI.Init(args);
    int rank = MPI.COMM_WORLD.Rank();
    int size = MPI.COMM_WORLD.Size();
    int steps = 5000;
    double[] part = new double[1];
    for (int i = rank; i < steps; i += size) {
      double x = (i + 0.5) / steps;
      part[0] += 4 / (1 + x * x) / steps;
    }
    if (rank == 0) {
      double pi = part[0];
      for (int i = 1; i < size; i++) {
        MPI.COMM_WORLD.Recv(part, 0, 1, MPI.DOUBLE, MPI.ANY_SOURCE, 0);
        pi += part[0];
      }
      System.out.printf("pi is about %.5f%n", pi);
    } else {
      MPI.COMM_WORLD.Send(part, 0, 1, MPI.DOUBLE, 0, 0);
    }
    MPI.Finalize();
  }
}
