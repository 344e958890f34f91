// expect: validated

/** The first thread waits instead of asking. */
final class AskedByMain {

  public static void main(String[] arguments) throws Exception {
    Thread other = new Thread(() -> {});
    other.start();
    other.join();
  }
}
