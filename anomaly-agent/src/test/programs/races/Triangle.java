// expect: anomaly packed[*] WRITE-WRITE
import java.util.stream.IntStream;

/** Rows of a packed triangle that begin one too early. */
final class Triangle {

  public static void main(String[] arguments) throws Exception {
    double[] packed = new double[20 * 21 / 2];
    IntStream.range(0, 20).parallel().forEach(row -> {
      int start = Math.max(0, row * (row + 1) / 2 - 1);
      for (int k = 0; k <= row; k++) {
        packed[start + k] = row;
      }
    });
  }
}
