// expect: validated
import java.util.stream.LongStream;

final class LongRange {

  public static void main(String[] arguments) throws Exception {
    long[] cells = new long[128];
    LongStream.range(0, 128).parallel().forEach(i -> cells[(int) i] = i);
  }
}
