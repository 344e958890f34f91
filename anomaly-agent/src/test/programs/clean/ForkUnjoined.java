// expect: validated
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RecursiveAction;
import java.util.concurrent.RecursiveTask;

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
      part.join();
      return part.result;
    }
  }

  public static void main(String[] arguments) throws Exception {
    System.out.println(ForkJoinPool.commonPool().invoke(new Whole()));
  }
}
