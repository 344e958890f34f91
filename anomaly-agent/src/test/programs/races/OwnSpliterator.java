// expect: anomaly OwnSpliterator.Numbers.given WRITE-READ
// expect: anomaly OwnSpliterator.Numbers.given WRITE-WRITE
import java.util.Spliterator;
import java.util.function.Consumer;
import java.util.stream.StreamSupport;

/** The two parts of a source that was split count in the same place. */
final class OwnSpliterator {
  static final class Numbers implements Spliterator<Integer> {
    static int given;
    int left;

    Numbers(int left) {
      this.left = left;
    }

    @Override
    public boolean tryAdvance(Consumer<? super Integer> action) {
      if (left == 0) {
        return false;
      }
      left--;
      action.accept(given++);
      return true;
    }

    @Override
    public Spliterator<Integer> trySplit() {
      int half = left / 2;
      if (half < 4) {
        return null;
      }
      left -= half;
      return new Numbers(half);
    }

    @Override
    public long estimateSize() {
      return left;
    }

    @Override
    public int characteristics() {
      return SIZED | SUBSIZED;
    }
  }

  public static void main(String[] arguments) throws Exception {
    System.out.println(StreamSupport.stream(new Numbers(1000), true).mapToInt(n -> n).sum());
  }
}
