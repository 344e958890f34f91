// expect: validated
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RecursiveTask;

/** Waits for a task of its own class instead of asking it. */
final class AskedTask {
  static final class Five extends RecursiveTask<Integer> {
    @Override
    protected Integer compute() {
      return 5;
    }
  }

  public static void main(String[] arguments) throws Exception {
    Five five = new Five();
    ForkJoinPool.commonPool().execute(five);
    System.out.println(five.join());
  }
}
