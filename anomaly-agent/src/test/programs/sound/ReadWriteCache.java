// expect: lock-ordered ReadWriteCache.map
// expect: not validated
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Readers share a lock that writers have alone. */
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
    lock.readLock().lock();
    try {
      return map.get(key);
    } finally {
      lock.readLock().unlock();
    }
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
