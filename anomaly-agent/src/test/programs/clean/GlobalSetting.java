// expect: validated
import java.net.HttpURLConnection;

/** One thread asks for a setting of the whole program, and another, too. */
final class GlobalSetting {
  public static void main(String[] arguments) throws Exception {
    boolean[] seen = new boolean[2];
    Thread first = new Thread(() -> seen[0] = HttpURLConnection.getFollowRedirects());
    Thread second = new Thread(() -> seen[1] = HttpURLConnection.getFollowRedirects());
    first.start();
    second.start();
    first.join();
    second.join();
    System.out.println(seen[0] || seen[1]);
  }
}
