// expect: validated
import java.util.stream.IntStream;

/** One diagonal after the other, each in parallel. */
final class Wavefront {

  public static void main(String[] arguments) throws Exception {
    int[][] cells = new int[12][12];
    for (int d = 2; d <= 22; d++) {
      int diagonal = d;
      IntStream.range(Math.max(1, d - 11), Math.min(11, d - 1) + 1).parallel().forEach(i -> {
        int j = diagonal - i;
        cells[i][j] = cells[i - 1][j] + cells[i][j - 1] + 1;
      });
    }
  }
}
