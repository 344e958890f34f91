// expect: validated
import java.util.stream.IntStream;

/** Rows are given in another order each time. */
final class GivenRows {
  static void fill(short[][] target, int step) {
    IntStream.range(0, target.length).parallel().forEach(i -> {
      for (int j = 0; j < 10; j++) {
        target[i][j] = (short) step;
      }
    });
  }

  public static void main(String[] arguments) {
    short[][] rows = new short[200][10];
    for (int step = 0; step < 8; step++) {
      fill(rows, step);
      short[] first = rows[0];
      System.arraycopy(rows, 1, rows, 0, 199);
      rows[199] = first;
      short[] other = rows[step];
      rows[step] = rows[100 + step];
      rows[100 + step] = other;
    }
    rows[150] = new short[10];
    fill(rows, 9);
    System.out.println(rows[150][9]);
  }
}
