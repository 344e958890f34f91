// expect: anomaly sums[*] WRITE-WRITE
// expect: anomaly sums[*] WRITE-READ
import java.util.stream.IntStream;

/** Elements of two inner streams meet in one cell. */
final class FlatMapped {

  public static void main(String[] arguments) throws Exception {
    int[] sums = new int[8];
    IntStream.range(0, 8).parallel().flatMap(i -> IntStream.range(0, 8)).forEach(j -> sums[j]++);
  }
}
