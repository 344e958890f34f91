// expect: anomaly CountedInConstructor.MADE[*] WRITE-WRITE
// expect: anomaly CountedInConstructor.MADE[*] WRITE-READ
import java.util.stream.IntStream;

/** Constructors write an array of the class, each of the one that all of them share. */
final class CountedInConstructor {
  private static final int[] MADE = new int[1];

  private final int number;

  private CountedInConstructor() {
    number = ++MADE[0];
  }

  public static void main(String[] arguments) {
    IntStream.range(0, 1000).parallel().forEach(i -> new CountedInConstructor());
    System.out.println(new CountedInConstructor().number > 0);
  }
}
