import mpi.*;

/** The master sends a row to whoever is free, and the tag says which row it is. */
public class MatrixVector {
  private static final int ROWS = 9;
  private static final int COLUMNS = 5;

  public static void main(String[] args) throws Exception {
    MPI.Init(args);
    double[] vector = {1, -1, 2, -2, 3};
    MPI.COMM_WORLD.Bcast(vector, 0, COLUMNS, MPI.DOUBLE, 0);
    if (MPI.COMM_WORLD.Rank() == 0) {
      master();
    } else {
      worker(vector);
    }
    MPI.Finalize();
  }

  private static void master() throws Exception {
    int workers = MPI.COMM_WORLD.Size() - 1;
    double[] product = new double[ROWS];
    int next = 0;
    for (; next < Math.min(workers, ROWS); next++) {
      MPI.COMM_WORLD.Send(row(next), 0, COLUMNS, MPI.DOUBLE, next + 1, next);
    }
    double[] result = new double[1];
    for (int done = 0; done < ROWS; done++) {
      Status status = MPI.COMM_WORLD.Recv(result, 0, 1, MPI.DOUBLE, MPI.ANY_SOURCE, MPI.ANY_TAG);
      product[status.tag] = result[0];
      if (next < ROWS) {
        MPI.COMM_WORLD.Send(row(next), 0, COLUMNS, MPI.DOUBLE, status.source, next++);
      }
    }
    for (int worker = 1; worker <= workers; worker++) {
      MPI.COMM_WORLD.Send(product, 0, 0, MPI.DOUBLE, worker, ROWS);
    }
    System.out.println(java.util.Arrays.toString(product));
  }

  private static double[] row(int number) {
    double[] row = new double[COLUMNS];
    for (int j = 0; j < COLUMNS; j++) {
      row[j] = number * j;
    }
    return row;
  }

  private static void worker(double[] vector) throws Exception {
    double[] row = new double[COLUMNS];
    Status status = MPI.COMM_WORLD.Recv(row, 0, COLUMNS, MPI.DOUBLE, 0, MPI.ANY_TAG);
    while (status.tag < ROWS) {
      double[] sum = new double[1];
      for (int j = 0; j < COLUMNS; j++) {
        sum[0] += row[j] * vector[j];
      }
      MPI.COMM_WORLD.Send(sum, 0, 1, MPI.DOUBLE, 0, status.tag);
      status = MPI.COMM_WORLD.Recv(row, 0, COLUMNS, MPI.DOUBLE, 0, MPI.ANY_TAG);
    }
  }
}
