import java.util.stream.IntStream;

/** Some of what the loop reads nobody writes while it runs. */
final class Shares {
  private static int[] weights = new int[100];
  private static double factor;
  private static double offset;

  public static void main(String[] arguments) throws Exception {
    factor = weights.length;
    double[] results = new double[100];
    IntStream.range(0, 100).parallel().forEach(i -> {
      if (i == 3) {
        offset = 1;
      }
      results[i] = weights[i] * factor + offset;
    });
  }
}
