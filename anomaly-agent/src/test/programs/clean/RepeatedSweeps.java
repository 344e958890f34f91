// expect: validated

import java.util.stream.IntStream;

/** Each iteration goes through its part a few times. */
public class RepeatedSweeps {
  private static void sweep(int[] values, int from, int count) {
    for (int again = 0; again < 3; again++) {
      for (int j = from; j + 1 < from + count; j++) {
        values[j] += again;
      }
    }
  }

  public static void main(String[] arguments) {
    int[] values = new int[1010];
    IntStream.range(0, 100).parallel().forEach(i -> sweep(values, 10 * i, 11));
    System.out.println(values[0]);
  }
}
