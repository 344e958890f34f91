// expect: validated
import java.util.stream.IntStream;

/** Constructors read an array of the class, which is written when that is initialised. */
final class CountedInConstructor {
  private static final int[] MADE = new int[1];

  static {
    MADE[0] = 7;
  }

  private final int number;

  private CountedInConstructor() {
    number = MADE[0];
  }

  public static void main(String[] arguments) {
    IntStream.range(0, 1000).parallel().forEach(i -> new CountedInConstructor());
    System.out.println(new CountedInConstructor().number > 0);
  }
}
