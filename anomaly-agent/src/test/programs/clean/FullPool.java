// expect: validated
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The pool has room for all. */
final class FullPool {

  public static void main(String[] arguments) throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), new ThreadPoolExecutor.DiscardPolicy());
    pool.execute(() -> {
      started.countDown();
      try {
        go.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    });
    started.await();
    pool.execute(() -> {});
    pool.execute(() -> {});
    go.countDown();
    pool.shutdown();
    pool.awaitTermination(1, TimeUnit.MINUTES);
  }
}
