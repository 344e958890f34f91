// expect: anomaly numbers[*] WRITE-READ
// expect: anomaly letters[*] WRITE-READ
// expect: anomaly words[*] WRITE-READ
// expect: anomaly grid[*][*] WRITE-READ
// expect: anomaly drawn[*] WRITE-WRITE
// expect: anomaly got[*] WRITE-WRITE
// expect: anomaly copied[*] WRITE-WRITE
// expect: anomaly input[*] WRITE-WRITE
// expect: anomaly text WRITE-WRITE
// expect: anomaly formatter WRITE-WRITE
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Formatter;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** The library reads and writes the arrays that it is given. */
final class GivenArrays {
  public static void main(String[] arguments) {
    int[] numbers = {1, 2};
    char[] letters = {'a', 'b'};
    Object[] words = {"a", "b"};
    int[][] grid = {{1}, {2}};
    byte[] drawn = new byte[8];
    char[] got = new char[8];
    String[] copied = new String[1];
    byte[] input = new byte[4];
    Appendable text = new StringBuilder();
    Formatter formatter = new Formatter();
    Object[] seen = new Object[4];
    IntStream.range(0, 4)
        .parallel()
        .forEach(
            i -> {
              if (i == 0) {
                numbers[1] = 7;
                letters[0] = 'q';
                words[1] = "q";
                grid[1][0] = 7;
              } else {
                seen[i] =
                    IntStream.of(numbers).sum()
                        + new String(letters)
                        + String.format("%s %s", words)
                        + Arrays.deepToString(grid);
              }
              new Random(i).nextBytes(drawn);
              ("number " + i).getChars(5, 8, got, 0);
              List.of("" + i).toArray(copied);
              try {
                new ByteArrayInputStream(new byte[] {(byte) i}).read(input, 1, 2);
                text.append("x");
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
              formatter.format("%d", i);
            });
    System.out.println(seen[3]);
  }
}
