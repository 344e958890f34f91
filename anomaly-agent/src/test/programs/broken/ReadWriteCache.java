// expect: anomaly ReadWriteCache.map WRITE-READ
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** One reads without the lock. */
final class ReadWriteCache {
  private final ReadWriteLock lock = new ReentrantReadWriteLock();
  private final Map<String, Integer> map = new HashMap<>();

  void put(String key, int value) {
    lock.writeLock().lock();
    try {
      map.put(key, value);
    } finally {
      lock.writeLock().unlock();
    }
  }

  Integer get(String key) {
    return map.get(key);
  }

  public static void main(String[] arguments) throws Exception {
    ReadWriteCache cache = new ReadWriteCache();
    Thread writer = new Thread(() -> cache.put("a", 1));
    writer.start();
    cache.get("a");
    writer.join();
    System.out.println(cache.get("a"));
  }
}
