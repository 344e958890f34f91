// expect: validated
import java.util.stream.IntStream;

final class Reduce {

  public static void main(String[] arguments) throws Exception {
    int most = IntStream.range(0, 500).parallel().map(i -> i * 31 % 97).reduce(0, (a, b) -> Math.max(a, b));
    System.out.println(most);
  }
}
