import mpi.*;

/** Lines of a picture, each to the next rank that is free. */
public class Mandelbrot {
  private static final int SIZE = 24;

  public static void main(String[] args) throws Exception {
    MPI.Init(args);
    int size = MPI.COMM_WORLD.Size();
    if (MPI.COMM_WORLD.Rank() == 0) {
      int inside = 0;
      int next = 0;
      int[] line = new int[SIZE + 1];
      for (int open = size - 1; open > 0; ) {
        Status status = MPI.COMM_WORLD.Recv(line, 0, SIZE + 1, MPI.INT, MPI.ANY_SOURCE, 0);
        for (int x = 0; line[SIZE] >= 0 && x < SIZE; x++) {
          inside += line[x];
        }
        int[] task = {next < SIZE ? next++ : -1};
        open -= task[0] < 0 ? 1 : 0;
        MPI.COMM_WORLD.Send(task, 0, 1, MPI.INT, status.source, 0);
      }
      System.out.println(inside + " points are in the set");
    } else {
      int[] line = new int[SIZE + 1];
      line[SIZE] = -1;
      int[] task = new int[1];
      while (true) {
        MPI.COMM_WORLD.Send(line, 0, SIZE + 1, MPI.INT, 0, 0);
        MPI.COMM_WORLD.Recv(task, 0, 1, MPI.INT, 0, 0);
        if (task[0] < 0) {
          break;
        }
        for (int x = 0; x < SIZE; x++) {
          line[x] = isInside(-2 + 3.0 * x / SIZE, -1.5 + 3.0 * task[0] / SIZE) ? 1 : 0;
        }
        line[SIZE] = task[0];
      }
    }
    MPI.Finalize();
  }

  private static boolean isInside(double cx, double cy) {
    double x = 0;
    double y = 0;
    for (int i = 0; i < 100 && x * x + y * y <= 4; i++) {
      double t = x * x - y * y + cx;
      y = 2 * x * y + cy;
      x = t;
    }
    return x * x + y * y <= 4;
  }
}
