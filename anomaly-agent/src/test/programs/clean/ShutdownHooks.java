// expect: validated
/** One after the other, before the program ends. */
final class ShutdownHooks {
  private static int last;

  public static void main(String[] arguments) throws Exception {
    for (int i = 0; i < 2; i++) {
      int number = i;
      Thread cleaner = new Thread(() -> last = number);
      cleaner.start();
      cleaner.join();
    }
    System.out.println(last);
  }
}
