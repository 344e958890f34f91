// expect: anomaly SortedKeys.Key.number WRITE-READ
// expect: anomaly keys WRITE-WRITE
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.IntStream;

/** A plain set may be changed by two. */
final class SortedKeys {
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
    Set<Key> keys = new TreeSet<>();
    IntStream.range(0, 40)
        .parallel()
        .forEach(i -> {
          Key key = new Key();
          key.number(i);
          keys.add(key);
        });
    System.out.println(keys.size() + new TreeSet<Integer>().size());
  }
}
