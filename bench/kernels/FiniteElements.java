import java.util.stream.IntStream;

/**
 * Finite elements on a mesh of triangles, in the manner of the second program of Hood, Kennedy and
 * Mellor-Crummey 1990, 3.2: element matrices by colours, so that no two elements of a colour share
 * a node, then relaxation steps over the nodes.
 */
final class FiniteElements implements Kernel {
  private static final int COLOURS = 8;

  private final int side;
  private final int[][] byColour;
  private final int[][] corners;
  private final double[] x;
  private final double[] y;
  private final double[] load;
  private final double[] residual;
  private final double[] solution;

  FiniteElements(int side) {
    this.side = side;
    int nodes = side * side;
    x = new double[nodes];
    y = new double[nodes];
    load = new double[nodes];
    residual = new double[nodes];
    solution = new double[nodes];
    for (int i = 0; i < nodes; i++) {
      x[i] = i % side;
      y[i] = i / side;
      load[i] = 1;
    }
    int cells = (side - 1) * (side - 1);
    corners = new int[2 * cells][];
    int[] count = new int[COLOURS];
    for (int cell = 0; cell < cells; cell++) {
      int column = cell % (side - 1);
      int row = cell / (side - 1);
      int low = row * side + column;
      corners[2 * cell] = new int[] {low, low + 1, low + side};
      corners[2 * cell + 1] = new int[] {low + 1, low + side + 1, low + side};
      count[colour(row, column)]++;
      count[colour(row, column) + 1]++;
    }
    byColour = new int[COLOURS][];
    for (int i = 0; i < COLOURS; i++) {
      byColour[i] = new int[count[i]];
      count[i] = 0;
    }
    for (int cell = 0; cell < cells; cell++) {
      int colour = colour(cell / (side - 1), cell % (side - 1));
      byColour[colour][count[colour]++] = 2 * cell;
      byColour[colour + 1][count[colour + 1]++] = 2 * cell + 1;
    }
  }

  private static int colour(int row, int column) {
    return 2 * (2 * (row % 2) + column % 2);
  }

  /** The element's contribution to the residual: its stiffness times the solution. */
  private void element(int number) {
    int[] corner = corners[number];
    double[] bx = new double[3];
    double[] by = new double[3];
    for (int i = 0; i < 3; i++) {
      int p = corner[(i + 1) % 3];
      int q = corner[(i + 2) % 3];
      bx[i] = y[p] - y[q];
      by[i] = x[q] - x[p];
    }
    double area = 0.5 * Math.abs(bx[0] * by[1] - bx[1] * by[0]);
    for (int i = 0; i < 3; i++) {
      double sum = 0;
      for (int j = 0; j < 3; j++) {
        sum += (bx[i] * bx[j] + by[i] * by[j]) * solution[corner[j]];
      }
      residual[corner[i]] += sum / (4 * area);
    }
  }

  @Override
  public double run() {
    int nodes = side * side;
    int blocks = 64;
    for (int step = 0; step < 5; step++) {
      IntStream.range(0, side)
          .parallel()
          .forEach(
              row -> {
                for (int i = row * side; i < (row + 1) * side; i++) {
                  residual[i] = -load[i];
                }
              });
      for (int colour = 0; colour < COLOURS; colour++) {
        int[] elements = byColour[colour];
        IntStream.range(0, blocks)
            .parallel()
            .forEach(
                block -> {
                  int end = (int) ((long) elements.length * (block + 1) / blocks);
                  for (int e = (int) ((long) elements.length * block / blocks); e < end; e++) {
                    element(elements[e]);
                  }
                });
      }
      IntStream.range(0, side)
          .parallel()
          .forEach(
              row -> {
                for (int i = row * side; i < (row + 1) * side; i++) {
                  int column = i % side;
                  if (column > 0 && column < side - 1 && row > 0 && row < side - 1) {
                    solution[i] -= 0.2 * residual[i];
                  }
                }
              });
    }
    return solution[nodes / 2 + side / 2];
  }
}
