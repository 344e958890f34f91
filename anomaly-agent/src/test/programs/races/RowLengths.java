// expect: anomaly sums[*] WRITE-WRITE

import java.util.stream.IntStream;

/** Each iteration adds up a part that is as long as a row, and rows have different lengths. */
public class RowLengths {
  private static void add(int[] sums, int from, int[] row) {
    for (int j = 0; j < row.length; j++) {
      sums[from + j] += row[j];
    }
  }

  public static void main(String[] arguments) {
    int[][] rows = new int[60][];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = new int[i == 40 ? 11 : 10];
    }
    int[] sums = new int[1000];
    IntStream.range(0, 60).parallel().forEach(i -> add(sums, 10 * i, rows[i]));
    System.out.println(sums[10]);
  }
}
