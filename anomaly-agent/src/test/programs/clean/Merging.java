// expect: validated
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.RecursiveAction;

/** What follows the element at which the merging stops is not touched. */
final class Merging {
  private static void merge(int[] pieces, int[] merged, int middle, int end) {
    int left = 0;
    int right = middle;
    int at = 0;
    while (left < middle && right < end) {
      if (pieces[left] <= pieces[right]) {
        merged[at++] = pieces[left++];
      } else {
        merged[at++] = pieces[right++];
      }
    }
  }

  private static void change(int[] pieces, int[] merged) {
    pieces[11] = 200;
    merged[10] = 1;
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
    int[] pieces = {0, 1, 2, 3, 4, 5, 6, 7, 3, 3, 100, 101, 102, 103, 104, 105};
    int[] merged = new int[16];
    ForkJoinTask.invokeAll(
        new Task(() -> merge(pieces, merged, 8, 16)), new Task(() -> change(pieces, merged)));
  }
}
