// expect: anomaly all WRITE-WRITE
import java.util.IntSummaryStatistics;
import java.util.stream.IntStream;

/** All iterations change the same statistics. */
final class SharedStatistics {
  public static void main(String[] arguments) {
    IntSummaryStatistics all = new IntSummaryStatistics();
    IntStream.range(0, 100).parallel().filter(i -> i % 3 == 0).forEach(all::accept);
    System.out.println(all.getMax());
  }
}
