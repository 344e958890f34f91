import java.util.stream.IntStream;

/** Bodies that attract each other: objects with fields. */
final class NBody implements Kernel {
  private static final class Body {
    double x;
    double y;
    double z;
    double vx;
    double vy;
    double vz;
    double mass;
  }

  private final Body[] bodies;

  NBody(int n) {
    bodies = new Body[n];
    for (int i = 0; i < n; i++) {
      Body body = new Body();
      body.x = Math.sin(i);
      body.y = Math.cos(2.0 * i);
      body.z = Math.sin(3.0 * i);
      body.mass = 1 + i % 3;
      bodies[i] = body;
    }
  }

  @Override
  public double run() {
    int n = bodies.length;
    for (int step = 0; step < 3; step++) {
      IntStream.range(0, n)
          .parallel()
          .forEach(
              i -> {
                Body body = bodies[i];
                double ax = 0;
                double ay = 0;
                double az = 0;
                for (int j = 0; j < n; j++) {
                  Body other = bodies[j];
                  double dx = other.x - body.x;
                  double dy = other.y - body.y;
                  double dz = other.z - body.z;
                  double square = dx * dx + dy * dy + dz * dz + 0.01;
                  double force = other.mass / (square * Math.sqrt(square));
                  ax += dx * force;
                  ay += dy * force;
                  az += dz * force;
                }
                body.vx += ax * 0.001;
                body.vy += ay * 0.001;
                body.vz += az * 0.001;
              });
      IntStream.range(0, n)
          .parallel()
          .forEach(
              i -> {
                Body body = bodies[i];
                body.x += body.vx * 0.001;
                body.y += body.vy * 0.001;
                body.z += body.vz * 0.001;
              });
    }
    return bodies[0].x;
  }
}
