// expect: validated
import java.util.stream.IntStream;

/**
 * Fields of two classes in one object: that many iterations have read that of the class above says
 * nothing of the one below.
 */
final class Subclasses {
  static class Above {
    int common = 1;
  }

  static final class Below extends Above {
    int own = 2;
  }

  public static void main(String[] arguments) {
    Below below = new Below();
    Above above = below;
    int[] sums = new int[1024];
    IntStream.range(0, 1024)
        .parallel()
        .forEach(
            i -> {
              sums[i] = above.common;
              if (i == 1023) {
                sums[i] = 3;
              } else if (i % 16 != 0) {
                sums[i] += below.own;
              }
            });
    System.out.println(sums[1]);
  }
}
