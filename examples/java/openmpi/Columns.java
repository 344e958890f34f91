import mpi.*;

/** Columns of a matrix travel along the ring as one item of a vector type each. */
public class Columns {
  public static void main(String[] args) throws MPIException {
    MPI.Init(args);
    Intracomm world = MPI.COMM_WORLD;
    int me = world.getRank();
    int size = world.getSize();
    int rows = 4;
    double[] matrix = new double[rows * 3];
    for (int i = 0; i < matrix.length; i++) {
      matrix[i] = me + i / 10.0;
    }
    Datatype column = Datatype.createVector(rows, 1, 3, MPI.DOUBLE);
    column.commit();
    // The last column goes right; the left neighbour's comes into the first one.
    Request[] both = new Request[2];
    java.nio.DoubleBuffer direct = MPI.newDoubleBuffer(matrix.length).put(0, matrix);
    both[0] = world.iSend(MPI.slice(direct, 2), 1, column, (me + 1) % size, 5);
    both[1] = world.iRecv(direct, 1, column, (me + size - 1) % size, 5);
    Request.waitAll(both);
    double sum = 0;
    for (int r = 0; r < rows; r++) {
      sum += direct.get(r * 3);
    }
    double[] sums = new double[size];
    world.gather(new double[] {sum}, 1, MPI.DOUBLE, sums, 1, MPI.DOUBLE, 0);
    if (me == 0) {
      StringBuilder text = new StringBuilder();
      for (double each : sums) {
        text.append(' ').append(Math.round(each * 10) / 10.0);
      }
      System.out.println("first columns sum to" + text);
    }
    column.free();
    MPI.Finalize();
  }
}
