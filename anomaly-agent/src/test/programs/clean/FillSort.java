// expect: validated
import java.util.Arrays;

final class FillSort {

  public static void main(String[] arguments) throws Exception {
    int[] numbers = new int[20];
    Thread one = new Thread(() -> Arrays.fill(numbers, 0, 10, 7));
    Thread two = new Thread(() -> Arrays.sort(numbers, 10, 20));
    one.start();
    two.start();
    one.join();
    two.join();
  }
}
