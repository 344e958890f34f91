import java.util.Random;
import java.util.stream.IntStream;

/**
 * A sparse matrix times a vector, with rows that are written through a permutation: neither what is
 * read nor what is written is known before the run.
 */
final class Sparse implements Kernel {
  private static final int PER_ROW = 50;

  private final int rows;
  private final int[] start;
  private final int[] column;
  private final double[] value;
  private final int[] place;
  private final double[] x;
  private final double[] y;

  Sparse(int rows) {
    this.rows = rows;
    Random random = new Random(11);
    start = new int[rows + 1];
    column = new int[rows * PER_ROW];
    value = new double[rows * PER_ROW];
    place = new int[rows];
    x = new double[rows];
    y = new double[rows];
    for (int i = 0; i < rows; i++) {
      start[i + 1] = start[i] + PER_ROW;
      place[i] = i;
      x[i] = random.nextDouble();
      for (int k = start[i]; k < start[i + 1]; k++) {
        column[k] = random.nextInt(rows);
        value[k] = random.nextDouble();
      }
    }
    for (int i = rows - 1; i > 0; i--) {
      int j = random.nextInt(i + 1);
      int kept = place[i];
      place[i] = place[j];
      place[j] = kept;
    }
  }

  @Override
  public double run() {
    for (int step = 0; step < 5; step++) {
      IntStream.range(0, rows)
          .parallel()
          .forEach(
              i -> {
                double sum = 0;
                for (int k = start[i]; k < start[i + 1]; k++) {
                  sum += value[k] * x[column[k]];
                }
                y[place[i]] = sum;
              });
    }
    return y[rows / 2];
  }
}
