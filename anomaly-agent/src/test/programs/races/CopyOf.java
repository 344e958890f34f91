// expect: anomaly numbers[*] WRITE-READ
import java.util.Arrays;

/** A copy of what is being written. */
final class CopyOf {

  public static void main(String[] arguments) throws Exception {
    int[] numbers = new int[20];
    Thread one = new Thread(() -> numbers[12] = 1);
    one.start();
    int[] copy = Arrays.copyOf(numbers, 13);
    one.join();
    System.out.println(copy.length);
  }
}
