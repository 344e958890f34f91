// expect: lock-ordered KeysThatChange.Key.number
// expect: not validated
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

/** Keys are complete before others compare theirs with them. */
final class KeysThatChange {
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
    Map<Key, Integer> numbers = new ConcurrentHashMap<>();
    IntStream.range(0, 40)
        .parallel()
        .forEach(i -> {
          Key key = new Key();
          key.number(i);
          numbers.put(key, i);
          new Key().number(i);
        });
    System.out.println(numbers.size());
  }
}
