// expect: lock-ordered System.getProperties
import java.util.Properties;

/** One thread reads a property of the system, and another sets one by way of the table. */
final class SystemProperties {
  public static void main(String[] arguments) throws Exception {
    Properties properties = System.getProperties();
    int[] seen = new int[2];
    Thread setter = new Thread(() -> properties.put("some.number", "5"));
    Thread reader = new Thread(() -> seen[0] = Integer.getInteger("some.number", 0));
    setter.start();
    reader.start();
    setter.join();
    reader.join();
    System.out.println(seen[0] + seen[1] < 6);
  }
}
