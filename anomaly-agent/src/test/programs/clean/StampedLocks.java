// expect: validated
import java.util.concurrent.locks.StampedLock;
import java.util.stream.IntStream;

final class StampedLocks {

  public static void main(String[] arguments) throws Exception {
    int[] squares = new int[20];
    StampedLock lock = new StampedLock();
    IntStream.range(0, 20).parallel().forEach(i -> {
      long stamp = lock.writeLock();
      squares[i] = i * i;
      lock.unlockWrite(stamp);
    });
  }
}
