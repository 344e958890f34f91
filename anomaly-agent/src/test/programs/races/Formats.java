// expect: anomaly Formats.FORMAT WRITE-WRITE
import java.text.SimpleDateFormat;
import java.util.Date;
import java.util.stream.IntStream;

/** A format keeps what it formats in a calendar of its own. */
final class Formats {
  private static final SimpleDateFormat FORMAT = new SimpleDateFormat("yyyy");

  public static void main(String[] arguments) throws Exception {
    String[] years = new String[8];
    IntStream.range(0, 8).parallel().forEach(i -> years[i] = FORMAT.format(new Date(i)));
  }
}
