// expect: validated
import java.util.IntSummaryStatistics;
import java.util.stream.IntStream;

/** The stream has statistics for each part, and combines them. */
final class SharedStatistics {
  public static void main(String[] arguments) {
    IntSummaryStatistics all = new IntSummaryStatistics();
    IntStream.range(0, 100).parallel().filter(i -> i % 3 == 0).summaryStatistics().getMax();
    System.out.println(all.getMax());
  }
}
