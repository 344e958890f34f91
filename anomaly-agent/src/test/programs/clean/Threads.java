// expect: validated

final class Threads {
  private static int value;

  public static void main(String[] arguments) throws Exception {
    Thread writer = new Thread(() -> value = 1);
    writer.start();
    writer.join();
    Thread other = new Thread(() -> value++);
    other.start();
    other.join();
    System.out.println(value);
  }
}
