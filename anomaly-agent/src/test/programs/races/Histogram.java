// expect: anomaly counts[*] WRITE-WRITE
// expect: anomaly counts[*] WRITE-READ
import java.util.stream.IntStream;

/** Elements with the same digit count in the same cell. */
final class Histogram {

  public static void main(String[] arguments) throws Exception {
    int[] counts = new int[10];
    IntStream.range(0, 100).parallel().forEach(i -> counts[i % 10]++);
  }
}
