// expect: lock-ordered pool
// expect: not validated
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/** Who takes a resource out of the pool has it alone. */
final class ResourcePool {
  static final class Resource {
    int uses;
  }

  private static void use(BlockingQueue<Resource> pool) {
    try {
      Resource resource = pool.take();
      resource.uses = resource.uses * 2 + 1;
      pool.put(resource);
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
