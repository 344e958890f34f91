// expect: validated
import java.util.stream.IntStream;

final class Fields {
  private static final class Particle {
    double x;
    double v;
  }

  public static void main(String[] arguments) throws Exception {
    Particle[] all = new Particle[64];
    for (int i = 0; i < all.length; i++) {
      all[i] = new Particle();
    }
    IntStream.range(1, 64).parallel().forEach(i -> all[i].v = all[i - 1].x + 1);
    IntStream.range(1, 64).parallel().forEach(i -> all[i].x += all[i].v);
  }
}
