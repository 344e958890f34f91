// expect: validated
import java.util.stream.IntStream;

/** The same method does every row of one loop, and every other row of another. */
final class HalfTheRows {
  private final long[][] rows = new long[200][16];

  private void row(int i) {
    for (int j = 0; j < 16; j++) {
      rows[i][j]++;
    }
  }

  public static void main(String[] arguments) {
    new HalfTheRows().run();
  }

  private void run() {
    for (int step = 0; step < 10; step++) {
      IntStream.range(0, 200).parallel().forEach(this::row);
      IntStream.range(0, 100).parallel().forEach(i -> row(2 * i));
      IntStream.range(0, 200).parallel().map(i -> 199 - i).forEach(this::row);
    }
    System.out.println(rows[1][1]);
  }
}
