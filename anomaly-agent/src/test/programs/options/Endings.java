/** Ends as it is told. */
final class Endings {
  public static void main(String[] arguments) throws Exception {
    switch (arguments[0]) {
      case "returns" -> System.out.println("done");
      case "exits" -> System.exit(Integer.parseInt(arguments[1]));
      case "halts" -> Runtime.getRuntime().halt(Integer.parseInt(arguments[1]));
      case "throws" -> throw new IllegalStateException("on purpose");
      default -> {
        Thread thread = new Thread(() -> {
          throw new IllegalStateException("on purpose");
        });
        thread.start();
        thread.join();
      }
    }
  }
}
