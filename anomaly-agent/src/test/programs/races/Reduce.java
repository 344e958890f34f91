// expect: anomaly Reduce.calls WRITE-WRITE
// expect: anomaly Reduce.calls WRITE-READ
import java.util.stream.IntStream;

final class Reduce {
  private static int calls;

  public static void main(String[] arguments) throws Exception {
    int sum = IntStream.range(0, 500).parallel().reduce(0, (a, b) -> {
      calls++;
      return a + b;
    });
    System.out.println(sum);
  }
}
