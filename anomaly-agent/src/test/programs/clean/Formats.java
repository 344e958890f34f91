// expect: validated
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.util.stream.IntStream;

final class Formats {
  private static final DateTimeFormatter FORMAT = DateTimeFormatter.ofPattern("yyyy");

  public static void main(String[] arguments) throws Exception {
    String[] years = new String[8];
    IntStream.range(0, 8).parallel().forEach(i -> years[i] = FORMAT.format(LocalDate.ofEpochDay(400 * i)));
  }
}
