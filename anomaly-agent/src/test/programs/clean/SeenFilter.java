// expect: validated
import java.util.stream.IntStream;

final class SeenFilter {

  public static void main(String[] arguments) throws Exception {
    int[] unique = IntStream.range(0, 100).map(i -> i % 10).parallel().distinct().toArray();
    System.out.println(unique.length);
  }
}
