// expect: anomaly ForkUnjoined.Part.result WRITE-READ
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RecursiveAction;
import java.util.concurrent.RecursiveTask;

/** The result is read before the task is joined. */
final class ForkUnjoined {
  static final class Part extends RecursiveAction {
    int result;

    @Override
    protected void compute() {
      result = 7;
    }
  }

  static final class Whole extends RecursiveTask<Integer> {
    @Override
    protected Integer compute() {
      Part part = new Part();
      part.fork();
      int early = part.result;
      part.join();
      return early;
    }
  }

  public static void main(String[] arguments) throws Exception {
    System.out.println(ForkJoinPool.commonPool().invoke(new Whole()) >= 0);
  }
}
