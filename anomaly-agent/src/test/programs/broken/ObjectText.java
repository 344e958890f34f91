// expect: not validated the text of an object without toString()
import java.util.stream.IntStream;

/** The text has the address of the object in it. */
final class ObjectText {
  private record Point(int x, int y) {}

  private static final class Place {}

  public static void main(String[] arguments) throws Exception {
    Place place = new Place();
    String[] texts = new String[8];
    IntStream.range(0, 8).parallel().forEach(i -> {
      Object point = place;
      texts[i] = "at " + point;
    });
    System.out.println(texts.length + (place == null ? 1 : 0));
  }
}
