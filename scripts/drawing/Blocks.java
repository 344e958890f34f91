/**
 * Blocks and forks of a parallel loop: what `reprise check` compares, and what orders it. The loop is that of
 * docs/ANOMALIES.md, where iteration 26 reads the row that iteration 25 writes.
 */
final class Blocks {
  private static final int WIDTH = 860;
  private static final int[] ITERATIONS = {1, 25, 26, 48};

  private Blocks() {}

  static Svg ofLoop() {
    Svg svg = new Svg(WIDTH, 364, "Blocks and forks of a parallel loop");
    svg.text("text", 24, 32, 16, "start", "Blocks of a parallel loop");
    svg.code("quiet", 24, 54, 12, "start", "IntStream.range(1, 49).parallel().forEach(i -> ... grid[i][j] = grid[i - 1][j] + 1)");
    int middle = 196;
    int fork = 196;
    int join = 650;
    svg.line("line", 30, middle, fork, middle);
    svg.line("line", join, middle, 830, middle);
    block(svg, 40, middle, 110, "block before");
    block(svg, 700, middle, 110, "block after");
    for (int i = 0; i < ITERATIONS.length; i++) {
      int y = 100 + i * 64;
      svg.path("line", String.format("M%d %dC%d %d %d %d %d %dL%d %dC%d %d %d %d %d %d", fork, middle, fork + 50, middle, fork + 40, y, 290, y, 556, y, join - 40, y, join - 50, middle, join, middle));
      block(svg, 290, y, 266, "iteration " + ITERATIONS[i] + " " + access(ITERATIONS[i]));
    }
    svg.text("quiet", 423, 136, 14, "middle", "\u22ee");
    svg.text("quiet", 423, 264, 14, "middle", "\u22ee");
    svg.dot("blue-fill", fork, middle, 7);
    svg.text("text", fork, middle - 16, 13, "middle", "fork");
    svg.dot("blue-fill", join, middle, 7);
    svg.text("text", join, middle - 16, 13, "middle", "join");
    svg.path("red", "M556 164C596 168 596 224 558 228");
    svg.path("red-fill", "M558 228L567 221L567 230Z");
    svg.text("red-fill", 660, 250, 12, "start", "anomaly: one writes row 25,");
    svg.text("red-fill", 660, 267, 12, "start", "the other reads it,");
    svg.text("red-fill", 660, 284, 12, "start", "and nothing orders them");
    svg.text("quiet", 24, 330, 12, "start", "Fork and join order the block before, every iteration, and the block after, on every schedule.");
    svg.text("quiet", 24, 348, 12, "start", "Nothing orders two iterations, whichever threads run them, one thread included.");
    return svg;
  }

  private static String access(int iteration) {
    return "reads row " + (iteration - 1) + ", writes row " + iteration;
  }

  private static void block(Svg svg, int x, int y, int width, String text) {
    svg.box("box", x, y - 16, width, 32, 6);
    svg.text("text", x + width / 2, y + 4, 12, "middle", text);
  }
}
