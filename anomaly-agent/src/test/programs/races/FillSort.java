// expect: anomaly numbers[*] WRITE-WRITE
import java.util.Arrays;

/** One thread fills the first half, the other sorts all. */
final class FillSort {

  public static void main(String[] arguments) throws Exception {
    int[] numbers = new int[20];
    Thread one = new Thread(() -> Arrays.fill(numbers, 0, 10, 7));
    Thread two = new Thread(() -> Arrays.sort(numbers));
    one.start();
    two.start();
    one.join();
    two.join();
  }
}
