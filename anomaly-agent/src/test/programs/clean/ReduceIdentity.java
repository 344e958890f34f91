// expect: validated
import java.util.stream.LongStream;

final class ReduceIdentity {

  public static void main(String[] arguments) throws Exception {
    long sum = 10 + LongStream.range(0, 100).parallel().reduce(0, Long::sum);
    System.out.println(sum);
  }
}
