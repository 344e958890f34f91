// expect: validated

/** The first thread asks when it knows. */
final class AskedByMain {

  public static void main(String[] arguments) throws Exception {
    Thread other = new Thread(() -> {});
    other.start();
    other.join();
    boolean alive = other.isAlive();
  }
}
