// expect: validated
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;

/** Everybody goes through the same collections, which nobody changes. */
final class SharedIterator {

  public static void main(String[] arguments) throws Exception {
    List<Integer> primes = new ArrayList<>(List.of(2, 3, 5, 7));
    Map<String, Integer> weights = new HashMap<>(Map.of("a", 1, "b", 2));
    ConcurrentLinkedQueue<Integer> queue = new ConcurrentLinkedQueue<>(primes);
    int[] sums = new int[20];
    IntStream.range(0, 20).parallel().forEach(i -> {
      for (int prime : primes) {
        sums[i] += prime;
      }
      for (Map.Entry<String, Integer> weight : weights.entrySet()) {
        sums[i] += weight.getValue();
      }
      for (int number : queue) {
        sums[i] += number;
      }
    });
  }
}
