// expect: not validated Runtime.addShutdownHook(), which runs a thread after the verdict
/** Hooks run beside each other, when everything else is over. */
final class ShutdownHooks {
  private static int last;

  public static void main(String[] arguments) {
    for (int i = 0; i < 2; i++) {
      int number = i;
      Thread hook = new Thread(() -> last = number);
      Runtime.getRuntime().addShutdownHook(hook);
      Runtime.getRuntime().removeShutdownHook(hook);
    }
    System.out.println(last);
  }
}
