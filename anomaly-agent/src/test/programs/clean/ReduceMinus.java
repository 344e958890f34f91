// expect: validated
import java.util.stream.IntStream;

final class ReduceMinus {

  public static void main(String[] arguments) throws Exception {
    int rest = -IntStream.range(0, 100).parallel().reduce(0, (a, b) -> a + b);
    System.out.println(rest);
  }
}
