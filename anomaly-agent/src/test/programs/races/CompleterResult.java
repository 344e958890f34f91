// expect: anomaly CompleterResult.Sum.total WRITE-READ
import java.util.concurrent.CountedCompleter;

/** The parent asks for a result of a child that may still run. */
final class CompleterResult {
  static final class Sum extends CountedCompleter<Integer> {
    private final int from;
    private final int to;
    private Sum left;
    private Sum right;
    private int total;
    private int seen;

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
        seen = left.getRawResult();
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

    @Override
    public Integer getRawResult() {
      return total;
    }
  }

  public static void main(String[] arguments) throws Exception {
    Sum forked = new Sum(null, 0, 32);
    forked.fork();
    if (new Sum(null, 0, 32).invoke() != 496 || forked.join() != 496) {
      throw new IllegalStateException();
    }
  }
}
