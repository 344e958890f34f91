package org.reprise.anomaly.agent.instrument;

import java.util.Random;

/** Sources of methods with loops in loops over arrays, the same for the same seed. */
final class RandomNests {
  private final Random random;
  private final StringBuilder code = new StringBuilder();
  private int loops;
  private int depth;

  private final String className;

  RandomNests(String className, long seed) {
    this.className = className;
    this.random = new Random(seed);
  }

  /** A class with a method {@code run(double[][], double[], int[], int, int, itself)}. */
  String source() {
    code.append("public class ")
        .append(className)
        .append(" {\n  double x; int n; static double total; static int[] shared = {1};\n");
    code.append("  double[] own = new double[8];\n");
    code.append("  static double twice(double v) { return 2 * v; }\n");
    code.append("  double pick(double[] p, int i) { return p[i] + x; }\n");
    code.append("  static void unknown(Runnable r) { if (r != null) r.run(); }\n");
    code.append(
        "  public static void run(double[][] a, double[] b, int[] c, int n, int m, %s o) {\n"
                .formatted(className)
            + "    int k = 0; double s = 0;\n");
    statements(2 + random.nextInt(3));
    code.append("    total = s + k;\n  }\n}\n");
    return code.toString();
  }

  private void statements(int count) {
    for (int i = 0; i < count; i++) {
      statement();
    }
  }

  private void statement() {
    switch (random.nextInt(depth == 0 ? 4 : 14)) {
      case 0, 1, 2 -> {
        if (depth < 3) {
          loop();
        } else {
          assign();
        }
      }
      case 3 -> {
        code.append("if (").append(condition()).append(") {\n");
        statements(1);
        code.append("}\n");
      }
      case 4 -> code.append("if (").append(condition()).append(") k++;\n");
      case 5 -> {
        if (loops > 0 && random.nextInt(3) == 0) {
          code.append("if (").append(condition()).append(") ");
          code.append(random.nextBoolean() ? "break;\n" : "continue;\n");
        } else {
          assign();
        }
      }
      case 6 -> code.append("s += twice(").append(read()).append(");\n");
      case 7 -> {
        if (random.nextInt(6) == 0) {
          code.append("unknown(null);\n");
        } else {
          assign();
        }
      }
      case 8 -> {
        if (random.nextInt(4) == 0) {
          code.append("try {\n");
          statements(1);
          code.append("} catch (RuntimeException e) { s++; }\n");
        } else {
          assign();
        }
      }
      case 9 ->
          code.append("{ double[] row = a[")
              .append(index())
              .append("]; s += row[")
              .append(index())
              .append("]; }\n");
      case 10 -> code.append("o.x += ").append(read()).append(";\n");
      case 11 -> code.append("s += o.pick(b, ").append(index()).append(");\n");
      default -> assign();
    }
  }

  private void loop() {
    String variable = "ijl".substring(depth, depth + 1);
    depth++;
    loops++;
    String bound = pick("n", "m", "n - 1", "b.length", "3", "o.n");
    int shape = random.nextInt(6);
    switch (shape) {
      case 0 -> head("for (int %1$s = %2$s - 1; %1$s >= 0; %1$s--) {\n", variable, bound);
      case 1 -> head("for (int %1$s = 1; %1$s < %2$s; %1$s += 2) {\n", variable, bound);
      case 2 ->
          head(
              "for (int %1$s = " + pick("0", "k", "1") + "; %1$s <= %2$s; %1$s++) {\n",
              variable,
              bound);
      default -> head("for (int %1$s = 0; %1$s < %2$s; %1$s++) {\n", variable, bound);
    }
    statements(1 + random.nextInt(3));
    if (shape != 0 && random.nextInt(8) == 0) {
      code.append(variable).append("++;\n");
    }
    code.append("}\n");
    loops--;
    depth--;
  }

  private void head(String format, String variable, String bound) {
    code.append(format.formatted(variable, bound));
  }

  private void assign() {
    String target =
        switch (random.nextInt(6)) {
          case 0, 1 -> "a[" + index() + "][" + index() + "]";
          case 2, 3 -> "b[" + index() + "]";
          case 4 -> "b[c[" + index() + "]]";
          default -> "s";
        };
    code.append(target).append(random.nextInt(3) == 0 ? " += " : " = ");
    code.append(read()).append(" + ").append(read()).append(";\n");
  }

  private String read() {
    return switch (random.nextInt(9)) {
      case 0, 1 -> "a[" + index() + "][" + index() + "]";
      case 2, 3 -> "b[" + index() + "]";
      case 4 -> "b[c[" + index() + "]]";
      case 5 -> "o.own[" + index() + "]";
      case 6 -> "o.x";
      case 7 -> "shared[0]";
      default -> "1.5";
    };
  }

  private String index() {
    String variable =
        depth == 0 ? "0" : "ijl".substring(0, depth).charAt(random.nextInt(depth)) + "";
    return switch (random.nextInt(12)) {
      case 0 -> variable + " + 1";
      case 1 -> variable + " - 1";
      case 2 -> "2 * " + variable;
      case 3 -> "k";
      case 4 -> depth > 1 ? "i * m + j" : "n - " + variable;
      case 5 -> "k++";
      case 6 -> depth > 1 ? "i + j" : variable;
      case 7 -> "n - 1 - " + variable;
      case 8 -> random.nextInt(3) == 0 ? "c[" + variable + "]" : variable;
      default -> variable;
    };
  }

  private String condition() {
    String variable =
        depth == 0 ? "n" : "ijl".substring(0, depth).charAt(random.nextInt(depth)) + "";
    return pick(variable + " % 2 == 0", variable + " > 3", "s > 10", "k < 4", variable + " == m");
  }

  private String pick(String... choices) {
    return choices[random.nextInt(choices.length)];
  }
}
