// expect: validated
import java.util.stream.IntStream;

final class Initializer {
  private static final class Table {
    static final int[] squares = new int[50];
    static int filled;

    static {
      for (int i = 0; i < 50; i++) {
        squares[i] = i * i;
        filled++;
      }
    }
  }

  public static void main(String[] arguments) throws Exception {
    IntStream.range(0, 50).parallel().forEach(i -> {
      if (Table.squares[i] != i * i) {
        throw new IllegalStateException();
      }
    });
  }
}
