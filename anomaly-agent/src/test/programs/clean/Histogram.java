// expect: validated
import java.util.stream.IntStream;

/** Each block has counts of its own. */
final class Histogram {

  public static void main(String[] arguments) throws Exception {
    int[][] counts = new int[4][10];
    IntStream.range(0, 4).parallel().forEach(b -> {
      for (int i = b * 25; i < b * 25 + 25; i++) {
        counts[b][i % 10]++;
      }
    });
    int sum = 0;
    for (int[] part : counts) {
      for (int count : part) {
        sum += count;
      }
    }
    System.out.println(sum);
  }
}
