// expect: validated
import java.security.SecureRandom;
import java.util.Random;
import java.util.stream.IntStream;

/** A source with a seed for each iteration. */
final class SecureNumbers {
  public static void main(String[] arguments) {
    int[] results = new int[40];
    IntStream.range(0, 40).parallel().forEach(i -> results[i] = new Random(i).nextInt(9));
    System.out.println(results[39] < new SecureRandom().nextInt(9) + 20);
  }
}
