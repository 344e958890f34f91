// expect: validated
import java.util.concurrent.CountedCompleter;

/** onCompletion runs when all children are complete. */
final class Completer {
  static final class Sum extends CountedCompleter<Void> {
    private final int from;
    private final int to;
    private Sum left;
    private Sum right;
    int total;

    Sum(CountedCompleter<?> parent, int from, int to) {
      super(parent);
      this.from = from;
      this.to = to;
    }

    @Override
    public void compute() {
      if (to - from > 8) {
        int middle = (from + to) / 2;
        setPendingCount(2);
        left = new Sum(this, from, middle);
        right = new Sum(this, middle, to);
        left.fork();
        right.fork();
      } else {
        for (int i = from; i < to; i++) {
          total += i;
        }
      }
      tryComplete();
    }

    @Override
    public void onCompletion(CountedCompleter<?> caller) {
      if (left != null) {
        total = left.total + right.total;
      }
    }
  }

  public static void main(String[] arguments) throws Exception {
    Sum sum = new Sum(null, 0, 32);
    sum.invoke();
    if (sum.total != 496) {
      throw new IllegalStateException();
    }
  }
}
