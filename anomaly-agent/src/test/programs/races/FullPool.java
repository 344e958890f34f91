// expect: not validated a task that came when its pool was full
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** What the pool has no room for is dropped. */
final class FullPool {

  public static void main(String[] arguments) throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            1, 1, 1, TimeUnit.SECONDS, new ArrayBlockingQueue<>(1), new ThreadPoolExecutor.DiscardPolicy());
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
