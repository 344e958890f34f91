// expect: anomaly ResourcePool.Resource.uses WRITE-READ
// expect: anomaly ResourcePool.Resource.uses WRITE-WRITE
// expect: lock-ordered pool
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/** A resource is used after it was given back. */
final class ResourcePool {
  static final class Resource {
    int uses;
  }

  private static void use(BlockingQueue<Resource> pool) {
    try {
      Resource resource = pool.take();
      pool.put(resource);
      resource.uses = resource.uses * 2 + 1;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  public static void main(String[] arguments) throws Exception {
    BlockingQueue<Resource> pool = new ArrayBlockingQueue<>(1);
    pool.put(new Resource());
    Thread other = new Thread(() -> use(pool));
    other.start();
    use(pool);
    other.join();
    System.out.println(pool.take().uses);
  }
}
