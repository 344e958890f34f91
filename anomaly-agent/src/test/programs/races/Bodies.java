// expect: anomaly Bodies.Body.x WRITE-READ
import java.util.stream.IntStream;

/** Each body asks where all others are, in step after step; in the last one bodies move meanwhile. */
final class Bodies {
  private static final class Body {
    double x;
    double force;
  }

  private final Body[] bodies = new Body[300];

  private Bodies() {
    for (int i = 0; i < bodies.length; i++) {
      Body body = new Body();
      body.x = i;
      bodies[i] = body;
    }
  }

  private void step(boolean moves) {
    IntStream.range(0, bodies.length)
        .parallel()
        .forEach(
            i -> {
              Body body = bodies[i];
              double force = 0;
              for (int j = 0; j < bodies.length; j++) {
                double distance = bodies[j].x - i;
                force += distance / (1 + distance * distance);
              }
              body.force = force;
              if (moves) {
                body.x += force;
              }
            });
  }

  public static void main(String[] arguments) {
    Bodies all = new Bodies();
    all.step(false);
    all.step(false);
    all.step(true);
    System.out.println(all.bodies[0].force > 0);
  }
}
