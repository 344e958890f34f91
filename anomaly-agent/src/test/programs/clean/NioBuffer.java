// expect: validated
import java.util.stream.IntStream;

/** Each iteration has an element of an array. */
final class NioBuffer {

  public static void main(String[] arguments) throws Exception {
    int[] cells = new int[100];
    IntStream.range(0, 100).parallel().forEach(i -> cells[i] = i);
    System.out.println(cells[0] >= 0);
  }
}
