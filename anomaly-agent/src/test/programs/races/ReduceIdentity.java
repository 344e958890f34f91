// expect: anomaly the result of LongStream.reduce() NOT-AN-IDENTITY
import java.util.stream.LongStream;

/** Ten is added once for each leaf. */
final class ReduceIdentity {

  public static void main(String[] arguments) throws Exception {
    long sum = LongStream.range(0, 100).parallel().reduce(10, Long::sum);
    System.out.println(sum);
  }
}
