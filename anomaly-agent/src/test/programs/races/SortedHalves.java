// expect: anomaly cells[*] WRITE-WRITE
// expect: anomaly scratch[*] WRITE-WRITE
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.RecursiveAction;

/** Two pieces that are sorted at a time have an element in common. */
final class SortedHalves {
  private static void sort(int[] cells, int[] scratch, int from, int to) {
    if (to - from < 2) {
      return;
    }
    if (to - from <= 4) {
      for (int i = from + 1; i < to; i++) {
        int moved = cells[i];
        int j = i - 1;
        while (j >= from && cells[j] > moved) {
          cells[j + 1] = cells[j];
          j--;
        }
        cells[j + 1] = moved;
      }
      return;
    }
    int middle = (from + to) >>> 1;
    sort(cells, scratch, from, middle);
    sort(cells, scratch, middle, to);
    merge(cells, scratch, from, middle, to);
  }

  private static void merge(int[] cells, int[] scratch, int from, int middle, int to) {
    for (int i = from; i < to; i++) {
      scratch[i] = cells[i];
    }
    int left = from;
    int right = middle;
    int at = from;
    while (left < middle && right < to) {
      if (scratch[left] <= scratch[right]) {
        cells[at++] = scratch[left++];
      } else {
        cells[at++] = scratch[right++];
      }
    }
    while (left < middle) {
      cells[at++] = scratch[left++];
    }
    while (right < to) {
      cells[at++] = scratch[right++];
    }
  }

  static final class Task extends RecursiveAction {
    private final transient Runnable work;

    Task(Runnable work) {
      this.work = work;
    }

    @Override
    protected void compute() {
      work.run();
    }
  }

  public static void main(String[] arguments) throws Exception {
    int[] cells = new int[64];
    for (int i = 0; i < cells.length; i++) {
      cells[i] = i * 37 % 64;
    }
    int[] scratch = new int[64];
    ForkJoinTask.invokeAll(
        new Task(() -> sort(cells, scratch, 0, 33)), new Task(() -> sort(cells, scratch, 32, 64)));
  }
}
