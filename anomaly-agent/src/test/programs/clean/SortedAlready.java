// expect: validated
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.RecursiveAction;

/** What is to be sorted is in order, so it is only read, as by another block. */
final class SortedAlready {
  private static void sort(int[] cells, int from, int to) {
    for (int i = from + 1; i < to; i++) {
      if (cells[i] < cells[i - 1]) {
        reverse(cells, from, to);
        return;
      }
    }
  }

  private static void reverse(int[] cells, int from, int to) {
    for (int i = from, j = to - 1; i < j; i++, j--) {
      int moved = cells[i];
      cells[i] = cells[j];
      cells[j] = moved;
    }
  }

  private static int sum(int[] cells, int from, int to) {
    int sum = 0;
    for (int i = from; i < to; i++) {
      sum += cells[i];
    }
    return sum;
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
      cells[i] = i;
    }
    int[] scratch = new int[64];
    ForkJoinTask.invokeAll(
        new Task(() -> sort(cells, 0, 64)), new Task(() -> sum(cells, 0, 64)));
  }
}
