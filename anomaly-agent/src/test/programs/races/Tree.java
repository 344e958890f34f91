// expect: anomaly Tree.Sum.calls WRITE-WRITE
// expect: anomaly Tree.Sum.calls WRITE-READ
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RecursiveTask;

final class Tree {
  private static final class Sum extends RecursiveTask<Integer> {
    private static int calls;
    private final int[] values;
    private final int from;
    private final int to;

    Sum(int[] values, int from, int to) {
      this.values = values;
      this.from = from;
      this.to = to;
    }

    @Override
    protected Integer compute() {
      calls++;
      if (to - from < 10) {
        int sum = 0;
        for (int i = from; i < to; i++) {
          sum += values[i];
        }
        return sum;
      }
      Sum left = new Sum(values, from, (from + to) / 2);
      Sum right = new Sum(values, (from + to) / 2, to);
      left.fork();
      return right.compute() + left.join();
    }
  }

  public static void main(String[] arguments) throws Exception {
    System.out.println(ForkJoinPool.commonPool().invoke(new Sum(new int[200], 0, 200)));
  }
}
