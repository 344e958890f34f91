// expect: anomaly Memo.table WRITE-WRITE
// expect: anomaly Memo.table WRITE-READ
// expect: anomaly Memo.lookups WRITE-WRITE
// expect: anomaly Memo.lookups WRITE-READ
import java.util.stream.IntStream;
import suite.lib.Memo;

/** The cache of a library of the program's own. */
final class OtherPackage {

  public static void main(String[] arguments) throws Exception {
    Memo memo = new Memo();
    long[] results = new long[20];
    IntStream.range(0, 20).parallel().forEach(i -> results[i] = memo.square(i % 5));
  }
}
