package totals;

import java.util.stream.IntStream;

/** Sums, one of them wrong. */
public final class Totals {
  private int total;

  /** Adds up in one field, whoever comes. */
  public int shared(int count) {
    IntStream.range(0, count).parallel().forEach(i -> total += i);
    return total;
  }

  /** Adds up as a reduction. */
  public static int reduced(int count) {
    return IntStream.range(0, count).parallel().sum();
  }
}
