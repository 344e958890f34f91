// expect: validated
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/** A function of the program's own kind, which does more than to call what it is given. */
final class OwnConsumer {
  private static final int[] squares = new int[500];

  interface Same extends IntConsumer {
    @Override
    default void accept(int number) {
      at(number);
    }

    void at(int number);
  }

  public static void main(String[] arguments) {
    IntStream.range(0, 500).parallel().forEach((Same) i -> squares[i] = i * i);
    System.out.println(squares[3]);
  }
}
