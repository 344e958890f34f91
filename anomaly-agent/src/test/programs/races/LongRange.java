// expect: anomaly cells[*] WRITE-WRITE
import java.util.stream.LongStream;

/** Two iterations of a long loop share a cell. */
final class LongRange {

  public static void main(String[] arguments) throws Exception {
    long[] cells = new long[64];
    LongStream.range(0, 128).parallel().forEach(i -> cells[(int) (i / 2)] = i);
  }
}
