// expect: anomaly grid[*][*] WRITE-WRITE
import java.util.stream.IntStream;

/** Inner loops of different rows write one row. */
final class NestedStreams {

  public static void main(String[] arguments) throws Exception {
    int[][] grid = new int[8][8];
    IntStream.range(0, 8).parallel().forEach(
        i -> IntStream.range(0, 8).parallel().forEach(j -> grid[0][j] = i));
  }
}
