// expect: anomaly OwnConsumer.squares[*] WRITE-WRITE
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/** A function of the program's own kind, which does more than to call what it is given. */
final class OwnConsumer {
  private static final int[] squares = new int[500];

  interface Halves extends IntConsumer {
    @Override
    default void accept(int number) {
      at(number / 2);
    }

    void at(int number);
  }

  public static void main(String[] arguments) {
    IntStream.range(0, 500).parallel().forEach((Halves) i -> squares[i] = i * i);
    System.out.println(squares[3]);
  }
}
