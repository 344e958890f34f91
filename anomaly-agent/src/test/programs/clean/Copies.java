import java.util.stream.IntStream;

// expect: validated
final class Copies {
  private static final class Body implements Cloneable {
    double x;

    Body copy() {
      try {
        return (Body) clone();
      } catch (CloneNotSupportedException e) {
        throw new AssertionError(e);
      }
    }
  }

  public static void main(String[] arguments) {
    Body body = new Body();
    double[] results = new double[50];
    IntStream.range(0, 50).parallel().forEach(i -> results[i] = body.x);
    IntStream.range(0, 50).parallel().forEach(i -> {
      Body own = body.copy();
      own.x = i;
      results[i] = own.x;
    });
  }
}
