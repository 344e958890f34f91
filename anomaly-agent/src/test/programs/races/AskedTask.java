// expect: not validated call of AskedTask.Five.isDone()
// expect: not validated call of AskedTask.Five.getRawResult()
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RecursiveTask;

/** Asks a task of its own class before it has waited for it. */
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
    boolean isDone = five.isDone();
    Integer result = five.getRawResult();
    five.join();
    System.out.println(isDone + " " + result);
  }
}
