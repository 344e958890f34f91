// expect: validated
import java.util.stream.IntStream;

/** What a block makes for itself does not outlive it. */
final class AnyMatch {

  public static void main(String[] arguments) throws Exception {
    boolean found = IntStream.range(0, 1000).parallel().anyMatch(i -> {
      int[] digits = new int[4];
      for (int k = 0, rest = i; k < 4; k++, rest /= 10) {
        digits[k] = rest % 10;
      }
      return digits[0] + digits[1] == 17;
    });
    System.out.println(found);
  }
}
