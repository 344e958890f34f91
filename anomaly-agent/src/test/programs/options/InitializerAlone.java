// expect: validated
import java.util.stream.IntStream;

/** A class fills an array in parallel when it is initialised, which happens before the loop. */
final class InitializerAlone {
  private static final class Squares {
    static void fill(int[] squares) {
      IntStream.range(0, 64).parallel().forEach(i -> squares[i] = i * i);
    }
  }

  private static final class Table {
    static final int[] squares = new int[64];

    static {
      Squares.fill(squares);
      Squares.fill(squares);
    }
  }

  public static void main(String[] arguments) throws Exception {
    int[] table = Table.squares;
    IntStream.range(0, 64).parallel().forEach(i -> table[i]++);
    int[] again = table.clone();
    IntStream.range(0, 64).parallel().forEach(i -> again[i] += table[i]);
  }
}
