// expect: validated
import java.util.stream.IntStream;

final class Stencil {
  private static final int N = 200;

  public static void main(String[] arguments) throws Exception {
    double[] next = new double[N];
    double[] old = new double[N];
    for (int step = 0; step < 5; step++) {
      double[] from = old;
      double[] to = next;
      IntStream.range(1, N - 1).parallel().forEach(i -> to[i] = (from[i - 1] + from[i + 1]) / 2);
      old = to;
      next = from;
    }
    System.out.println(old[N / 2]);
  }
}
