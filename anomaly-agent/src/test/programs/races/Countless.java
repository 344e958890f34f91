// expect: anomaly squares[*] WRITE-WRITE
import java.util.stream.IntStream;

/** Many loops over elements of which nobody knows how many there are. */
final class Countless {
  public static void main(String[] arguments) {
    double[] squares = new double[100];
    for (int loop = 0; loop < 200; loop++) {
      IntStream.iterate(0, i -> i < squares.length, i -> i + 1)
          .parallel()
          .forEach(i -> squares[i / 2] = i * i);
    }
    System.out.println(squares[9]);
  }
}
