// expect: anomaly Completer.Sum.total WRITE-READ
import java.util.concurrent.CountedCompleter;

/** The parent reads its children's sums in compute, where they may still run. */
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
        total = left.total + right.total;
      } else {
        for (int i = from; i < to; i++) {
          total += i;
        }
      }
      tryComplete();
    }
  }

  public static void main(String[] arguments) throws Exception {
    Sum sum = new Sum(null, 0, 32);
    sum.invoke();
    System.out.println(sum.total >= 0);
  }
}
