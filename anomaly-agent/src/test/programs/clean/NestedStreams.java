// expect: validated
import java.util.stream.IntStream;

final class NestedStreams {

  public static void main(String[] arguments) throws Exception {
    int[][] grid = new int[8][8];
    IntStream.range(0, 8).parallel().forEach(i -> {
      IntStream.range(0, 8).parallel().forEach(j -> grid[i][j] = i);
      IntStream.range(0, 8).parallel().forEach(j -> grid[i][j] += j);
    });
  }
}
