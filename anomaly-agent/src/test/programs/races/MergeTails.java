// expect: anomaly MergeTails.merged[*] WRITE-WRITE
import java.util.stream.IntStream;

/** Pieces that overlap by one element, in a loop that two ways lead into. */
final class MergeTails {
  private static final int LENGTH = 10;

  private final int[] pieces = IntStream.range(0, 500).map(i -> i * 7919 % 503).toArray();
  private final int[] merged = new int[500];

  private void merge(int from, int middle, int end) {
    int left = from;
    int right = middle;
    int at = from;
    while (left < middle && right < end) {
      merged[at++] = pieces[left] <= pieces[right] ? pieces[left++] : pieces[right++];
    }
    while (left < middle) {
      merged[at++] = pieces[left++];
    }
    while (right < end) {
      merged[at++] = pieces[right++];
    }
  }

  public static void main(String[] arguments) {
    MergeTails tails = new MergeTails();
    IntStream.range(0, 50)
        .parallel()
        .forEach(
            i -> {
              int from = i * LENGTH;
              tails.merge(from, from + LENGTH / 2, Math.min(500, from + LENGTH + 1));
            });
  }
}
