// expect: validated

import java.util.stream.IntStream;

/** Each row's first element becomes what a method, and one that this calls, make of the row. */
public class RowValues {
  private final double[][] rows = new double[64][8];

  private static double square(double[] row, int at) {
    return row[at] * row[at];
  }

  private double value(double[] row) {
    double sum = 0;
    for (int i = 1; i < row.length; i++) {
      sum += square(row, i) + square(row, i - 1);
    }
    return sum;
  }

  private void run() {
    IntStream.range(0, 63).parallel().forEach(i -> rows[i][0] = value(rows[i]));
    System.out.println(rows[5][0]);
  }

  public static void main(String[] arguments) {
    new RowValues().run();
  }
}
