// expect: validated
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Formatter;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** Each block has arrays, or parts of them, to itself; what all read, nobody writes. */
final class GivenArrays {
  public static void main(String[] arguments) {
    int[] numbers = {1, 2};
    char[] letters = new char[16];
    Object[] words = {"a", "b"};
    int[][] grid = {{1}, {2}};
    char[] got = new char[16];
    byte[] input = new byte[16];
    String[] none = new String[0];
    Object[] seen = new Object[4];
    IntStream.range(0, 4)
        .parallel()
        .forEach(
            i -> {
              letters[4 * i + 1] = 'q';
              seen[i] =
                  IntStream.of(numbers).sum()
                      + new String(letters, 4 * i, 4)
                      + String.format("%s %s", words)
                      + String.format("%d %d", i, 4)
                      + Arrays.deepToString(grid);
              byte[] drawn = new byte[8];
              new Random(i).nextBytes(drawn);
              ("number " + i).getChars(4, 8, got, 4 * i);
              Character.toChars('x', got, 4 * i + 1);
              String[] copied = List.of("" + i).toArray(none);
              Formatter formatter = new Formatter();
              try {
                new ByteArrayInputStream(drawn).read(input, 4 * i, 4);
                Appendable text = new StringBuilder();
                text.append(copied[0]);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
              formatter.format("%d", i);
            });
    System.out.println(seen[3]);
  }
}
