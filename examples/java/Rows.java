/*
 * Rows: each iteration of a parallel loop reads the row that the iteration before it writes.
 *
 * On one worker every row is one more than the row above. On several, an iteration may read its neighbour's row too
 * early. One run is enough to find it, on any number of workers:
 *
 *     reprise check java Rows.java
 */
import java.util.stream.IntStream;

class Rows {
  private static final int[][] grid = new int[50][50];

  public static void main(String[] args) {
    IntStream.range(1, 49).parallel().forEach(i -> { for (int j = 0; j < 50; j++) grid[i][j] = grid[i - 1][j] + 1; });
    System.out.println("last row: " + grid[48][0]);
  }
}
