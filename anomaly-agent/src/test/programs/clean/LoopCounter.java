// expect: validated
import java.util.stream.IntStream;

final class LoopCounter {
  private static int[] counts;

  public static void main(String[] arguments) throws Exception {
    counts = new int[100];
    IntStream.range(0, 100).parallel().forEach(i -> counts[i]++);
    int sum = 0;
    for (int count : counts) {
      sum += count;
    }
    System.out.println(sum);
  }
}
