// expect: validated
import java.util.stream.IntStream;

final class Triangle {

  public static void main(String[] arguments) throws Exception {
    double[] packed = new double[20 * 21 / 2];
    IntStream.range(0, 20).parallel().forEach(row -> {
      int start = row * (row + 1) / 2;
      for (int k = 0; k <= row; k++) {
        packed[start + k] = row;
      }
    });
  }
}
