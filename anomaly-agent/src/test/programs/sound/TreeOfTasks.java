// expect: validated
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RecursiveAction;

/** A task waits for the tasks that it forked before it uses their results. */
final class TreeOfTasks {
  private static final class Sum extends RecursiveAction {
    private final int from;
    private final int to;
    private int sum;

    Sum(int from, int to) {
      this.from = from;
      this.to = to;
    }

    @Override
    protected void compute() {
      if (to - from == 1) {
        sum = from;
        return;
      }
      int middle = (from + to) / 2;
      Sum left = new Sum(from, middle);
      Sum right = new Sum(middle, to);
      left.fork();
      right.compute();
      left.join();
      sum = left.sum + right.sum;
      left.join();
    }
  }

  public static void main(String[] arguments) {
    Sum all = new Sum(0, 8);
    new ForkJoinPool(2).invoke(all);
    System.out.println(all.sum);
  }
}
