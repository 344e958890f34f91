// expect: validated
import java.util.stream.IntStream;

final class PerThread {

  public static void main(String[] arguments) throws Exception {
    int[] numbers = new int[10];
    IntStream.range(0, 10).parallel().forEach(i -> {
      int[] count = new int[1];
      numbers[i] = count.length + i;
    });
  }
}
