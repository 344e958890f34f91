// expect: validated
import java.util.concurrent.RecursiveAction;

/** Both halves have ended before they are read. */
final class ReadBeforeJoin {
  private static final class Sum extends RecursiveAction {
    private final int from;
    private final int to;
    private int result;

    Sum(int from, int to) {
      this.from = from;
      this.to = to;
    }

    @Override
    protected void compute() {
      if (to - from < 4) {
        result = to * from;
        return;
      }
      Sum left = new Sum(from, (from + to) / 2);
      Sum right = new Sum((from + to) / 2, to);
      left.fork();
      right.compute();
      Sum read = right;
      int early = read.result;
      left.join();
      result = left.result + early;
    }
  }

  public static void main(String[] arguments) {
    Sum sum = new Sum(0, 64);
    sum.invoke();
    System.out.println(sum.result);
  }
}
