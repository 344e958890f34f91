// expect: anomaly Filtering.Filter.kept[*] WRITE-WRITE
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.RecursiveAction;

/** The second task begins where the first one keeps its last. */
final class Filtering {
  static final class Filter extends RecursiveAction {
    private final int[] cells;
    private final int[] kept;
    private final int from;

    Filter(int[] cells, int[] kept, int from) {
      this.cells = cells;
      this.kept = kept;
      this.from = from;
    }

    @Override
    protected void compute() {
      int next = from;
      for (int i = from; i < from + 10; i++) {
        if (cells[i] % 2 == 0) {
          kept[next++] = cells[i];
        }
      }
    }
  }

  public static void main(String[] arguments) throws Exception {
    int[] cells = new int[20];
    for (int i = 0; i < cells.length; i++) {
      cells[i] = i;
    }
    int[] kept = new int[20];
    ForkJoinTask.invokeAll(new Filter(cells, kept, 0), new Filter(cells, kept, 4));
  }
}
