// expect: validated
import java.util.Iterator;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Consumer;
import java.util.stream.StreamSupport;

/** A source changes from element to element, but each part of it is one thread's at a time. */
final class OwnSpliterator {
  static final class Numbers implements Spliterator<Integer> {
    private int next;
    private final int end;

    Numbers(int next, int end) {
      this.next = next;
      this.end = end;
    }

    @Override
    public boolean tryAdvance(Consumer<? super Integer> action) {
      if (next == end) {
        return false;
      }
      action.accept(next++);
      return true;
    }

    @Override
    public Spliterator<Integer> trySplit() {
      int middle = (next + end) / 2;
      if (middle - next < 4) {
        return null;
      }
      Numbers first = new Numbers(next, middle);
      next = middle;
      return first;
    }

    @Override
    public long estimateSize() {
      return end - next;
    }

    @Override
    public int characteristics() {
      return ORDERED | SIZED | SUBSIZED;
    }
  }

  static final class Counting implements Iterator<int[]> {
    private int count;

    @Override
    public boolean hasNext() {
      return count < 5000;
    }

    @Override
    public int[] next() {
      return new int[] {count++};
    }
  }

  public static void main(String[] arguments) throws Exception {
    System.out.println(StreamSupport.stream(new Numbers(0, 1000), true).mapToInt(n -> n).sum());
    System.out.println(
        StreamSupport.stream(Spliterators.spliteratorUnknownSize(new Counting(), 0), true)
            .mapToInt(box -> box[0]++)
            .sum());
  }
}
