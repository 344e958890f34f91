// expect: validated
import java.util.logging.Level;
import java.util.logging.Logger;

/** Whether something is logged. */
final class LogLevel {
  private static final Logger LOGGER = Logger.getLogger("LogLevel");

  private static boolean setLevel(Level level) {
    LOGGER.setLevel(level);
    return true;
  }

  public static void main(String[] arguments) throws Exception {
    boolean[] seen = new boolean[2];
    Thread first = new Thread(() -> seen[0] = LOGGER.isLoggable(Level.FINE));
    Thread second = new Thread(() -> seen[1] = LOGGER.isLoggable(Level.SEVERE));
    first.start();
    second.start();
    first.join();
    second.join();
    System.out.println(seen[0] || seen[1]);
  }
}
