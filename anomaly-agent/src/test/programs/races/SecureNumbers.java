// expect: not validated new SecureRandom(), which is random
import java.security.SecureRandom;
import java.util.Random;
import java.util.stream.IntStream;

/** No seed makes this source say the same again. */
final class SecureNumbers {
  public static void main(String[] arguments) {
    int[] results = new int[40];
    IntStream.range(0, 40).parallel().forEach(i -> results[i] = new SecureRandom().nextInt(9));
    System.out.println(results[39] < new SecureRandom().nextInt(9) + 20);
  }
}
