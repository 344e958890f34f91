/** Starts a thread and asks whether it has ended, before or after it knows. */
final class Asking {

  public static void main(String[] arguments) throws Exception {
    Thread other = new Thread(() -> {});
    other.start();
    if (arguments[0].equals("before")) {
      other.isAlive();
    }
    other.join();
    other.isAlive();
  }
}
