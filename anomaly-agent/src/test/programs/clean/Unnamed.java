// expect: validated
import java.lang.reflect.Field;
import java.util.logging.Logger;
import java.util.stream.IntStream;

/** Reflection and a log, of the first thread alone; blocks ask for what never changes. */
final class Unnamed {
  int last;

  public static void main(String[] arguments) throws Exception {
    Logger log = Logger.getAnonymousLogger();
    log.setUseParentHandlers(false);
    Unnamed object = new Unnamed();
    Field field = Unnamed.class.getDeclaredField("last");
    String[] names = new String[20];
    IntStream.range(0, 20).parallel().forEach(i -> names[i] = field.getName());
    field.setInt(object, 7);
    log.info("done");
  }
}
