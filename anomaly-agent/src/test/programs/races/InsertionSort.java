// expect: anomaly InsertionSort.Sort.cells[*] WRITE-READ
// expect: anomaly InsertionSort.Sort.cells[*] WRITE-WRITE
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.RecursiveAction;

/** Two of the pieces have an element in common. */
final class InsertionSort {
  static final class Sort extends RecursiveAction {
    private final int[] cells;
    private final int low;
    private final int high;

    Sort(int[] cells, int low, int high) {
      this.cells = cells;
      this.low = low;
      this.high = high;
    }

    @Override
    protected void compute() {
      for (int i = low + 1; i < high; i++) {
        int moved = cells[i];
        int j = i - 1;
        while (j >= low && cells[j] > moved) {
          cells[j + 1] = cells[j];
          j--;
        }
        cells[j + 1] = moved;
      }
    }
  }

  public static void main(String[] arguments) throws Exception {
    int[] cells = new int[60];
    for (int i = 0; i < cells.length; i++) {
      cells[i] = i * 37 % 60;
    }
    ForkJoinTask.invokeAll(new Sort(cells, 0, 21), new Sort(cells, 20, 40), new Sort(cells, 40, 60));
  }
}
