import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/** Ends as it is told. */
final class Endings {
  public static void main(String[] arguments) throws Exception {
    switch (arguments[0]) {
      case "returns" -> System.out.println("done");
      case "exits" -> System.exit(Integer.parseInt(arguments[1]));
      case "halts" -> Runtime.getRuntime().halt(Integer.parseInt(arguments[1]));
      case "forgets" -> begin(arguments[1]);
      case "throws" -> throw new IllegalStateException("on purpose");
      default -> {
        Thread thread = new Thread(() -> {
          throw new IllegalStateException("on purpose");
        });
        thread.start();
        thread.join();
      }
    }
  }

  private static void rest() {
    try {
      Thread.sleep(200);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Thread start(Runnable action) {
    Thread thread = new Thread(action);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  /** Begins something, and does not look back. */
  private static void begin(String what) throws Exception {
    int[] done = new int[1];
    Thread thread = new Thread(() -> done[0] = 1);
    ExecutorService pool = Executors.newSingleThreadExecutor();
    CountDownLatch latch = new CountDownLatch(1);
    switch (what) {
      case "task" -> CompletableFuture.runAsync(() -> done[0] = 1);
      case "stage" -> {
        CompletableFuture<Integer> one = CompletableFuture.supplyAsync(() -> 1);
        one.thenAcceptAsync(number -> done[0] = number);
        one.join();
      }
      case "stage at once" -> {
        CompletableFuture<Integer> one = CompletableFuture.supplyAsync(() -> 1);
        one.thenAccept(number -> done[0] = number);
        one.join();
      }
      case "late" -> {
        CompletableFuture.runAsync(() -> {
          latch.countDown();
          rest();
          CompletableFuture.runAsync(() -> done[0] = 1);
        });
        latch.await();
      }
      case "daemon" -> {
        thread.setDaemon(true);
        thread.start();
      }
      case "busy" -> {
        start(() -> {
          int[] turns = new int[100];
          latch.countDown();
          while (true) {
            turns[done[0]++ % turns.length]++;
          }
        });
        latch.await();
      }
      case "asleep" -> {
        int[] seen = new int[100];
        Thread sleeper = start(() -> {
          for (int i = 0; i < seen.length; i++) {
            seen[i] = i;
          }
          done[0] = 1;
          LockSupport.park();
        });
        while (sleeper.getState() != Thread.State.WAITING) {
          rest();
        }
        System.out.println(seen[7]);
      }
      case "first" -> {
        int[] shared = new int[8];
        IntStream.range(0, 1000).parallel().forEach(i -> shared[5] = i);
        start(() -> {
          rest();
          System.exit(0);
        });
        while (true) {
          done[0]++;
        }
      }
      case "exit" -> {
        pool.execute(() -> done[0] = 1);
        System.exit(0);
      }
      case "thread" -> thread.start();
      case "pool" -> pool.execute(() -> done[0] = 1);
      case "latch" -> {
        CompletableFuture.runAsync(() -> {
          done[0] = 1;
          latch.countDown();
        });
        latch.await();
      }
      case "map" -> {
        ConcurrentHashMap<Integer, Integer> map = new ConcurrentHashMap<>();
        IntStream.range(0, 1000).forEach(i -> map.put(i, i));
        done[0] = map.reduceValues(1, Integer::sum);
      }
      case "accepted" ->
          CompletableFuture.supplyAsync(() -> 1).thenAccept(number -> done[0] = number).join();
      case "stages" ->
          CompletableFuture.completedFuture(1).thenApplyAsync(n -> n + 1).thenAccept(n -> {}).join();
      default -> {
        pool.submit(() -> done[0] = 1).get();
        System.exit(0);
      }
    }
    pool.shutdown();
  }
}
