// expect: validated
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.RecursiveAction;

/** Pieces of two tasks take turns in one array. */
final class Pieces {
  static final class Fill extends RecursiveAction {
    private final int[] cells;
    private final int first;

    Fill(int[] cells, int first) {
      this.cells = cells;
      this.first = first;
    }

    @Override
    protected void compute() {
      for (int piece = 0; piece < 100; piece++) {
        fill(cells, 8 * piece + first, 8 * piece + first + 4);
      }
    }

    private static void fill(int[] cells, int from, int to) {
      for (int i = from; i < to; i++) {
        cells[i] = 1;
      }
    }
  }

  public static void main(String[] arguments) throws Exception {
    int[] cells = new int[810];
    ForkJoinTask.invokeAll(new Fill(cells, 0), new Fill(cells, 4));
  }
}
