// expect: validated

/** A field of each class below. */
final class Inherited {
  static final class One {
    static int count;

    void run() {
      count++;
    }
  }

  static final class Two {
    static int count;

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
