// expect: anomaly results[*] WRITE-READ
// expect: anomaly results[*] WRITE-WRITE
import java.util.stream.IntStream;

/** Two iterations have one element. */
final class HalvedIndex {
  public static void main(String[] arguments) {
    int[] results = new int[40];
    IntStream.range(0, 40).parallel().forEach(i -> results[i / 2] += i);
    System.out.println(results[19]);
  }
}
