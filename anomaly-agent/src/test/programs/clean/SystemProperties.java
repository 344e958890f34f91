// expect: validated
import java.util.Properties;

/** One thread reads a property of the system, and another, too, by way of the table. */
final class SystemProperties {
  public static void main(String[] arguments) throws Exception {
    Properties properties = System.getProperties();
    int[] seen = new int[2];
    Thread other = new Thread(() -> seen[1] = properties.getProperty("some.number", "").length());
    Thread reader = new Thread(() -> seen[0] = Integer.getInteger("some.number", 0));
    other.start();
    reader.start();
    other.join();
    reader.join();
    System.out.println(seen[0] + seen[1] < 6);
  }
}
