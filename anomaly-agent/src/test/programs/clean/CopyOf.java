// expect: validated
import java.util.Arrays;

/** The copy ends before it. */
final class CopyOf {

  public static void main(String[] arguments) throws Exception {
    int[] numbers = new int[20];
    Thread one = new Thread(() -> numbers[12] = 1);
    one.start();
    int[] copy = Arrays.copyOf(numbers, 12);
    one.join();
    System.out.println(copy.length);
  }
}
