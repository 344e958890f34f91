/** A program that does nothing: what is left is starting. */
final class Nothing {
  private Nothing() {}

  public static void main(String[] arguments) {}
}
