// expect: lock-ordered BufferWithConditions.items
// expect: lock-ordered BufferWithConditions.take()[*]
// expect: not validated
import java.util.LinkedList;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** A linked list behind a lock with two conditions. */
final class BufferWithConditions {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition notFull = lock.newCondition();
  private final Condition notEmpty = lock.newCondition();
  private final LinkedList<int[]> items = new LinkedList<>();

  void put(int[] item) throws InterruptedException {
    lock.lock();
    try {
      while (items.size() == 2) {
        notFull.await();
      }
      items.addLast(item);
      notEmpty.signal();
    } finally {
      lock.unlock();
    }
  }

  int[] take() throws InterruptedException {
    lock.lock();
    try {
      while (items.isEmpty()) {
        notEmpty.await();
      }
      notFull.signal();
      return items.removeFirst();
    } finally {
      lock.unlock();
    }
  }

  int left() {
    lock.lock();
    try {
      return items.size();
    } finally {
      lock.unlock();
    }
  }

  public static void main(String[] arguments) throws Exception {
    BufferWithConditions buffer = new BufferWithConditions();
    Thread producer = new Thread(() -> {
      try {
        for (int i = 0; i < 5; i++) {
          buffer.put(new int[] {i});
        }
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    });
    producer.start();
    int left = buffer.left();
    int sum = 0;
    for (int i = 0; i < 5; i++) {
      sum += buffer.take()[0];
    }
    producer.join();
    System.out.println(sum + Math.min(left, 0));
  }
}
