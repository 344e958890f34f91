// expect: anomaly Inherited.Base.count WRITE-WRITE
// expect: anomaly Inherited.Base.count WRITE-READ
import java.util.stream.Stream;

/** A field of the class above, through two classes below. */
final class Inherited {
  static class Base {
    static int count;
  }

  static final class One extends Base {
    void run() {
      count++;
    }
  }

  static final class Two extends Base {
    void run() {
      count++;
    }
  }

  public static void main(String[] arguments) throws Exception {
    Thread one = new Thread(() -> new One().run());
    Thread two = new Thread(() -> new Two().run());
    one.start();
    two.start();
    one.join();
    two.join();
  }
}
