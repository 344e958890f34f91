// expect: validated
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.Scanner;

/** Each thread has a scanner of its own, around a stream of its own. */
final class TwoReaders {
  private static int sum(Scanner numbers) {
    int sum = 0;
    while (numbers.hasNextInt()) {
      sum += numbers.nextInt();
    }
    return sum;
  }

  public static void main(String[] arguments) throws Exception {
    byte[] text = "1 2 3 ".getBytes();
    InputStream input = new ByteArrayInputStream(text);
    InputStream another = new ByteArrayInputStream(text);
    Scanner one = new Scanner(input);
    Scanner other = new Scanner(another);
    int[] sums = new int[2];
    Thread first = new Thread(() -> sums[0] = sum(one));
    Thread second = new Thread(() -> sums[1] = sum(other));
    first.start();
    second.start();
    first.join();
    second.join();
    System.out.println(sums[0] + sums[1] >= another.available());
  }
}
