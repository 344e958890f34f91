import mpi.*;

/** Parameters of several types travel in one message. */
public class Packing {
  public static void main(String[] args) throws MPIException {
    MPI.Init(args);
    Intracomm world = MPI.COMM_WORLD;
    double[] limits = new double[2];
    int[] steps = new int[1];
    byte[] packed =
        new byte[world.packSize(2, MPI.DOUBLE) + world.packSize(1, MPI.INT)];
    if (world.getRank() == 0) {
      limits[1] = 2;
      steps[0] = 600;
      int position = world.pack(limits, 2, MPI.DOUBLE, packed, 0);
      world.pack(steps, 1, MPI.INT, packed, position);
    }
    world.bcast(packed, packed.length, MPI.PACKED, 0);
    int position = world.unpack(packed, 0, limits, 2, MPI.DOUBLE);
    world.unpack(packed, position, steps, 1, MPI.INT);
    double width = (limits[1] - limits[0]) / steps[0];
    double[] area = new double[1];
    for (int i = world.getRank(); i < steps[0]; i += world.getSize()) {
      double x = limits[0] + (i + 0.5) * width;
      area[0] += x * x * width;
    }
    world.reduce(area, 1, MPI.DOUBLE, MPI.SUM, 0);
    if (world.getRank() == 0) {
      System.out.printf("area %.4f%n", area[0]);
    }
    MPI.Finalize();
  }
}
