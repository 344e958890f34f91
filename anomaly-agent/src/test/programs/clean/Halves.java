// expect: validated
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RecursiveAction;

final class Halves {
  static final class Increment extends RecursiveAction {
    private final int[] cells;
    private final int from;
    private final int to;

    Increment(int[] cells, int from, int to) {
      this.cells = cells;
      this.from = from;
      this.to = to;
    }

    @Override
    protected void compute() {
      if (to - from <= 4) {
        for (int i = from; i < to; i++) {
          cells[i]++;
        }
        return;
      }
      int middle = (from + to) / 2;
      invokeAll(new Increment(cells, from, middle), new Increment(cells, middle, to));
    }
  }

  public static void main(String[] arguments) throws Exception {
    new ForkJoinPool(3).invoke(new Increment(new int[64], 0, 64));
  }
}
