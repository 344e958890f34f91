// expect: lock-ordered SynchronizedKeys.Key.number
// expect: lock-ordered an unnamed value
// expect: not validated
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** The view compares keys while it holds its lock. */
final class SynchronizedKeys {
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
    Set<Key> plain = new TreeSet<>();
    Set<Key> even = Collections.synchronizedSet(plain);
    Set<Key> odd = even;
    IntStream.range(0, 40)
        .parallel()
        .forEach(i -> {
          Key key = new Key();
          key.number(i);
          (i % 2 == 0 ? even : odd).add(key);
        });
    System.out.println(plain.size());
  }
}
