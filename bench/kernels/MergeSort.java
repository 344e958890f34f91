import java.util.Random;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RecursiveAction;

/** Merge sort in fork/join tasks. */
final class MergeSort implements Kernel {
  private static final int ALONE = 2000;

  private final int[] original;
  private final int[] numbers;
  private final int[] scratch;

  MergeSort(int n) {
    original = new Random(7).ints(n).toArray();
    numbers = new int[n];
    scratch = new int[n];
  }

  private static final class Sort extends RecursiveAction {
    private final int[] numbers;
    private final int[] scratch;
    private final int from;
    private final int to;

    Sort(int[] numbers, int[] scratch, int from, int to) {
      this.numbers = numbers;
      this.scratch = scratch;
      this.from = from;
      this.to = to;
    }

    @Override
    protected void compute() {
      if (to - from <= ALONE) {
        sort(numbers, scratch, from, to);
        return;
      }
      int middle = (from + to) >>> 1;
      invokeAll(new Sort(numbers, scratch, from, middle), new Sort(numbers, scratch, middle, to));
      merge(numbers, scratch, from, middle, to);
    }
  }

  private static void sort(int[] numbers, int[] scratch, int from, int to) {
    if (to - from < 2) {
      return;
    }
    if (to - from <= 16) {
      for (int i = from + 1; i < to; i++) {
        int moved = numbers[i];
        int j = i - 1;
        while (j >= from && numbers[j] > moved) {
          numbers[j + 1] = numbers[j];
          j--;
        }
        numbers[j + 1] = moved;
      }
      return;
    }
    int middle = (from + to) >>> 1;
    sort(numbers, scratch, from, middle);
    sort(numbers, scratch, middle, to);
    merge(numbers, scratch, from, middle, to);
  }

  private static void merge(int[] numbers, int[] scratch, int from, int middle, int to) {
    for (int i = from; i < to; i++) {
      scratch[i] = numbers[i];
    }
    int left = from;
    int right = middle;
    int at = from;
    while (left < middle && right < to) {
      if (scratch[left] <= scratch[right]) {
        numbers[at++] = scratch[left++];
      } else {
        numbers[at++] = scratch[right++];
      }
    }
    while (left < middle) {
      numbers[at++] = scratch[left++];
    }
    while (right < to) {
      numbers[at++] = scratch[right++];
    }
  }

  @Override
  public double run() {
    System.arraycopy(original, 0, numbers, 0, original.length);
    ForkJoinPool.commonPool().invoke(new Sort(numbers, scratch, 0, numbers.length));
    return numbers[numbers.length / 2];
  }
}
