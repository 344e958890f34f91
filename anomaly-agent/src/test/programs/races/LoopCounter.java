// expect: anomaly LoopCounter.count WRITE-WRITE
// expect: anomaly LoopCounter.count WRITE-READ
import java.util.stream.IntStream;

final class LoopCounter {
  private static int count;

  public static void main(String[] arguments) throws Exception {
    IntStream.range(0, 100).parallel().forEach(i -> count++);
  }
}
