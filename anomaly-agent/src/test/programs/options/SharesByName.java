import java.util.stream.IntStream;

/** As Shares, but which classes it has is known only when it runs. */
final class SharesByName {
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
    if (arguments.length > 0) {
      Class.forName(arguments[0]);
    }
  }
}
