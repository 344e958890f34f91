// expect: validated
import java.security.MessageDigest;

/** Each has a digest of its own. */
final class OwnDigest {
  public static void main(String[] arguments) throws Exception {
    MessageDigest first = MessageDigest.getInstance("SHA-256");
    MessageDigest second = MessageDigest.getInstance("SHA-256");
    Thread other = new Thread(() -> first.update((byte) 1));
    other.start();
    second.update((byte) 2);
    other.join();
    System.out.println(first.digest()[0] + second.digest()[0]);
  }
}
