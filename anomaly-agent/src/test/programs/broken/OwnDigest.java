// expect: not validated call of MessageDigest.update() on an object that blocks share
import java.security.MessageDigest;

/** The digest depends on who comes first. */
final class OwnDigest {
  public static void main(String[] arguments) throws Exception {
    MessageDigest first = MessageDigest.getInstance("SHA-256");
    MessageDigest second = MessageDigest.getInstance("SHA-256");
    Thread other = new Thread(() -> first.update((byte) 1));
    other.start();
    first.update((byte) 2);
    other.join();
    System.out.println(first.digest()[0] + second.digest()[0]);
  }
}
