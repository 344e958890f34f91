// expect: anomaly Scatter.sums[*] WRITE-WRITE
import java.util.stream.IntStream;

final class Scatter {
  private static final double[] sums = new double[1000];

  public static void main(String[] arguments) throws Exception {
    int[] bucket = new int[1000];
    for (int i = 0; i < bucket.length; i++) {
      bucket[i] = i * 7 % 1000;
    }
    bucket[400] = bucket[3];
    IntStream.range(0, 1000).parallel().forEach(i -> sums[bucket[i]] = i);
  }
}
