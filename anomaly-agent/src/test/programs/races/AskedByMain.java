// expect: not validated Thread.isAlive(), which asks whether a thread has ended

/** The first thread asks whether another has ended. */
final class AskedByMain {

  public static void main(String[] arguments) throws Exception {
    Thread other = new Thread(() -> {});
    other.start();
    boolean alive = other.isAlive();
    other.join();
  }
}
