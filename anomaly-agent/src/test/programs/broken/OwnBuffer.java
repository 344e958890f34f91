// expect: anomaly buffer[*] WRITE-READ
// expect: anomaly buffer[*] WRITE-WRITE
import java.util.stream.IntStream;

/** One buffer for all. */
final class OwnBuffer {
  private static final ThreadLocal<int[]> OWN = ThreadLocal.withInitial(() -> new int[4]);
  private static final int[] ALL = new int[4];

  static int[] buffer(boolean isShared) {
    return isShared ? ALL : OWN.get();
  }

  public static void main(String[] arguments) throws Exception {
    int[] results = new int[20];
    IntStream.range(0, 20)
        .parallel()
        .forEach(i -> {
          int[] buffer = buffer(true);
          for (int j = 0; j < buffer.length; j++) {
            buffer[j] = i + j;
          }
          results[i] = buffer[3];
        });
    System.out.println(results[19]);
  }
}
