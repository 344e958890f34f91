// expect: lock-ordered TasksBySize.Key.number
// expect: lock-ordered queue
// expect: not validated
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.stream.IntStream;

/** Elements are compared with those that others put, inside the queue. */
final class TasksBySize {
  private static final class Key implements Comparable<Key> {
    private int number;

    void number(int value) {
      number = value;
    }

    @Override
    public int compareTo(Key other) {
      return Integer.compare(number, other.number);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Key && ((Key) other).number == number;
    }

    @Override
    public int hashCode() {
      return number % 4;
    }
  }

  public static void main(String[] arguments) {
    Queue<Key> queue = new PriorityBlockingQueue<>();
    IntStream.range(0, 40)
        .parallel()
        .forEach(i -> {
          Key key = new Key();
          key.number(i);
          queue.add(key);
        });
    System.out.println(queue.size() + new PriorityQueue<Integer>().size());
  }
}
