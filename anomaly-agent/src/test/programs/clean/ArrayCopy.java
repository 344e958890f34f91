// expect: validated
import java.util.stream.IntStream;

final class ArrayCopy {

  public static void main(String[] arguments) throws Exception {
    int[] source = new int[5];
    int[] target = new int[50];
    IntStream.range(0, 10).parallel().forEach(i -> System.arraycopy(source, 0, target, 5 * i, 5));
  }
}
