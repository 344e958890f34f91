// expect: not validated call of Field.setInt(), which is reflection
// expect: not validated call of Array.setInt(), which is reflection
// expect: not validated call of MethodHandle.invokeExact(), which is reflection
// expect: not validated call of Logger.info(), which writes to a log
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.util.logging.Logger;
import java.util.stream.IntStream;

/** What blocks change without naming it, and a log. */
final class Unnamed {
  int last;

  public static void main(String[] arguments) throws Exception {
    Logger log = Logger.getAnonymousLogger();
    log.setUseParentHandlers(false);
    Unnamed object = new Unnamed();
    int[] numbers = new int[1];
    Field field = Unnamed.class.getDeclaredField("last");
    MethodHandle setter = MethodHandles.lookup().findSetter(Unnamed.class, "last", int.class);
    IntStream.range(0, 20).parallel().forEach(i -> {
      try {
        field.setInt(object, i);
        Array.setInt(numbers, 0, i);
        setter.invokeExact(object, i);
        log.info("done");
      } catch (Throwable e) {
        throw new IllegalStateException(e);
      }
    });
  }
}
