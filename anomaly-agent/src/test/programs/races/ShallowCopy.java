// expect: anomaly own[*][*] WRITE-READ
// expect: anomaly own[*][*] WRITE-WRITE
import java.util.stream.IntStream;

/** The copy has the same rows. */
final class ShallowCopy {
  public static void main(String[] arguments) {
    int[][] rows = new int[4][4];
    int[] results = new int[40];
    IntStream.range(0, 40)
        .parallel()
        .forEach(i -> {
          int[][] own = rows.clone();
          own[i % 4] = rows[i % 4];
          own[i % 4][i % 3] += i;
          results[i] = own[i % 4][0];
        });
    System.out.println(results[39]);
  }
}
