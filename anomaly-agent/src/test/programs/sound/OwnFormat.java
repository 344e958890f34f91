// expect: not validated call of ThreadLocal.get(), which depends on which thread runs the block
import java.text.DecimalFormat;
import java.text.NumberFormat;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** A format for each thread. */
final class OwnFormat {
  private static final ThreadLocal<NumberFormat> OWN =
      ThreadLocal.withInitial(() -> new DecimalFormat("0.0"));
  private static final NumberFormat ALL = new DecimalFormat("0.0");

  private static String text(double number) {
    return (number < 0 ? ALL : OWN.get()).format(number);
  }

  public static void main(String[] arguments) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(2);
    Future<String> one = pool.submit(() -> text(1.25));
    Future<String> two = pool.submit(() -> text(2.25));
    System.out.println(one.get() + two.get());
    pool.shutdown();
  }
}
