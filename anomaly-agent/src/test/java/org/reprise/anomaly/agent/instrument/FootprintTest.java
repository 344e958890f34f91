package org.reprise.anomaly.agent.instrument;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.tree.ClassNode;
import org.reprise.anomaly.agent.instrument.program.Hierarchy;
import org.reprise.anomaly.agent.instrument.program.Scope;
import org.reprise.anomaly.agent.instrument.program.Sites;
import org.reprise.anomaly.agent.instrument.program.Variables;

/**
 * Which methods are checked when they are entered. That what is reported of them is right, {@link
 * EquivalenceTest} shows.
 */
class FootprintTest {
  private static final String ROW =
      "void row(double[][] x, int k, int i, int n) { x[i][k] = x[k][k];"
          + " for (int j = k + 1; j < n; j++) x[i][j] -= x[k][j]; }";

  @ParameterizedTest
  @ValueSource(
      strings = {
        ROW,
        "static " + ROW,
        "final int n = 3; final double[] x = new double[3];"
            + " void row(double d) { for (int j = 0; j < n; j++) x[j] = Math.sqrt(d); }",
        "static final int[] x = new int[3]; void row() { for (int j = 0; j < 3; j++) x[j] = 1; }",
        "void row(int[] x, int i) { for (int j = i % 2; j < x.length; j += 2) x[j]++; }",
        "void row(int[] x, int n) { for (int j = 1; j < n; j += 2) x[j] += x[j - 1] + x[j + 1]; }",
        "int row(int[] x) { int s = 0; for (int j = 0; j <= 7; j++) s += x[j]; return s; }",
        "void row(int[] x, int[] y) { for (int j = 0; j < 7; j++) x[j] = 1;"
            + " for (int j = 0; j < 3; j++) y[j + 1] = x[j]; }",
        "int row(int[] x) { int s = 0; for (int j = 0; j + 1 < x.length; j++) s += x[j + 1]; return s; }",
        "void row(int[] x, int n) { for (int i = 0; i < n; i++)"
            + " for (int j = 0; j < n; j++) x[j] = 1; }",
        "void row(int[] x, int[] y, int n) { for (int i = 0; i < n; i++) {"
            + " for (int j = 0; j < n; j++) x[j] += y[i]; y[i] = 0; } }",
      })
  void isKnown(String source) throws Exception {
    assertThat(methods(source)).as(source).contains("$reprise$row", "$reprise$checked$row");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        // What is accessed depends on more than the arguments.
        "static int[] x; void row(int n) { for (int j = 0; j < n; j++) x[j] = 1; }",
        "double[] x; void row(int n) { for (int j = 0; j < n; j++) x[j] = 1; }",
        "void row(int[] x, int n) { for (int j = 0; j < n; j++) if (j != 3) x[j] = 1; }",
        "void row(int[] x, int n) { if (n == 3) return; for (int j = 0; j < n; j++) x[j] = 1; }",
        "void row(int[] x, int n) { for (int j = 0; j < n; j++) { if (j == 3) break; x[j] = 1; } }",
        "void row(int[] x, int[] y) { for (int j = 0; j < 3; j++) x[y[j]] = 1; }",
        "void row(int[] x, int n) { for (int j = 0; j < n; j++) n = x[j]; }",
        "void row(int[][] x, int n) { for (int j = 0; j < n; j++) x[j][0] = 1; }",
        "void row(int[][] x, int n) { for (int j = 0; j < n; j++) { x[0][j] = 1; x[0] = x[1]; } }",
        // Something else may throw, or must be seen.
        "void row(int[] x, int n) { for (int j = 0; j < 3; j++) x[j] = 3 / n; }",
        "void row(int[] x, int n) { for (int j = 0; j < n; j++) { x[j] = 1; other(); } }"
            + " void other() {}",
        "void row(double[] x, int n) { for (int j = 0; j < n; j++) x[j] = Math.random(); }",
        "synchronized void row(int[] x, int n) { for (int j = 0; j < n; j++) x[j] = 1; }",
        // Loops of other kinds, which others check.
        "int row(int[] x, int n) { int s = 0; for (int j = 1; j < n; j += 2) s += x[j] + x[j + 1];"
            + " return s; }",
        "void row(int[] x, int n) { for (int j = n; j > 0; j--) x[j] = 1; }",
        "void row(int[] x, int n) { int j = 0; do { x[j] = 1; } while (++j < n); }",
        "void row(int[] x, int n) { for (int j = 0; j < n; j++) x[2 * j] = 1; }",
        "void row(int[] x, int n) { for (int j = 0; n > j + 1; j++) x[j] = 1; }",
        "void row(int[] x, int n) { for (int j = 0; 2 * j < n; j++) x[j] = 1; }",
        "void row(int[] x, int n) { for (int i = 0; i < n; i++)"
            + " for (int j = i; j < n; j++) x[j] = 1; }",
        "void row(int[] x, int n) { for (int i = 0; i < n; i++)"
            + " for (int j = 0; j < i; j++) x[j] = 1; }",
        "void row(int[] x, int n) { for (int i = 0; i < n; i++)"
            + " for (int j = 0; j < n; j++) x[i + j] = 1; }",
        "void row(int[] x, int n) { int j = 0; for (int i = 0; i < n; i++)"
            + " for (; j < n; j++) x[j] = 1; }",
        "void row(int[][] x, int n) { for (int i = 0; i < n; i++)"
            + " for (int j = 0; j < n; j++) x[i][j] = 1; }",
      })
  void isNot(String source) throws Exception {
    assertThat(methods(source)).as(source).contains("row").doesNotContain("$reprise$checked$row");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "double[][] x, int n) { RANGE.forEach(i -> { for (int j = 0; j < n; j++) x[i][j] = 1; });",
        "int[][] x, int n) { RANGE.forEach(i -> { for (int j = 1; j < n; j += 2) x[i - 1][j]--; });",
        "int[] x, int n) { RANGE.forEach(i -> { for (int j = 0; j < n; j++) x[i * n + j] = 1; });",
        "int[] x, int n) { RANGE.forEach(i -> { for (int j = i; j < i + n; j++) x[j] = 1; });",
        "int[] x, int[] y) { RANGE.forEach(i -> x[i] = y[i] + y[i + 1]);",
        "int[][] x, int k) { RANGE.forEach(i -> x[k][i] = x[i + 1][k]);",
        "int n) { RANGE.forEach(this::row); } final int[] x = new int[9];"
            + " private void row(int i) { x[i]++;",
        "int n) { RANGE.forEach(P::row); } static final int[] x = new int[9];"
            + " static void row(int i) { x[i]++;",
        "int[][] x, int n) { RANGE.forEach(i -> { for (int j = 0; j < x[i].length; j++) x[i][j]++;"
            + " });",
        // What it calls is known.
        "int[] x, int n) { RANGE.forEach(i -> set(x, i)); }"
            + " static void set(int[] y, int k) { y[k] = 1;",
        "int[][] x, int[] y) { RANGE.forEach(i -> y[i] = sum(x[i])); }"
            + " static int sum(int[] row) { int s = 0; for (int j = 0; j < row.length; j++)"
            + " s += at(row, j); return s; } static int at(int[] y, int k) { return y[k];",
        "int n) { RANGE.forEach(i -> set(i)); } final int[] x = new int[9];"
            + " private void set(int k) { next(k + 1); } private void next(int k) { x[k]++;",
      })
  void iterationsAreDoneAtOnce(String source) throws Exception {
    assertThat(methods(loop(source))).as(source).anyMatch(FootprintTest::isLeaf);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        // What an iteration accesses does not follow from what the one before does.
        "int[] x, int n) { RANGE.forEach(i -> { for (int j = i; j < n; j++) x[j] = 1; });",
        "int[][] x, int[] y) { RANGE.forEach(i -> { for (int j = 0; j < y[i]; j++) x[i][j]++; });",
        "int[][] x, int n) { RANGE.forEach(i -> { for (int j = i; j < x[i].length; j++) x[i][j]++;"
            + " });",
        "int[][] x, int n) { RANGE.forEach(i -> { for (int j = 0; j < n; j++) x[2 * i][j]++; });",
        "int[][][] x, int n) { RANGE.forEach(i -> { for (int j = 0; j < n; j++) x[i][0][j]++; });",
        "int[] x, int n) { RANGE.forEach(i -> x[i * i] = 1);",
        "int[] x, int n) { RANGE.forEach(i -> x[i % 3] = 1);",
        "int[] x, int[] y) { RANGE.forEach(i -> x[y[i]] = 1);",
        "int[] x, int n) { RANGE.forEach(i -> { if (i != n) x[i] = 1; });",
        // What it calls is not known, or may throw, or belongs to another object.
        "int[] x, int n) { RANGE.forEach(i -> set(x, i)); } void set(int[] y, int k) { y[k] = 1;",
        "int[] x, int n) { RANGE.forEach(i -> set(x, i)); }"
            + " static synchronized void set(int[] y, int k) { y[k] = 1;",
        "int[] x, int n) { RANGE.forEach(i -> set(x, i)); }"
            + " static void set(int[] y, int k) { try { y[k] = 1; } finally { y[0] = 2; }",
        "int[] x, int n) { RANGE.forEach(i -> set(x, i)); }"
            + " static void set(int[] y, int k) { if (k > 3) { y[k] = 1; return; } y[0] = 1;",
        "int[] x, int n) { RANGE.forEach(i -> set(x, i)); }"
            + " static void set(int[] y, int k) { y[k] = 1; set(y, k);",
        // A read that is followed by a write in a loop is left out; in a method it is not.
        "int[] x, int n) { RANGE.forEach(i -> { for (int j = 0; j < n; j++) add(x, i * n + j); }); }"
            + " static void add(int[] y, int k) { y[k]++;",
        "P[] ps, int n) { RANGE.forEach(i -> ps[i].set(i)); } final int[] x = new int[9];"
            + " private void set(int k) { x[k]++;",
        "P p, int n) { RANGE.forEach(i -> p.set(i)); } static final int[] x = new int[9];"
            + " private void set(int k) { x[k]++;",
        // The stream does more than to call the method, or perhaps another one.
        "int[] x, int n) { RANGE.forEachOrdered(i -> x[i] = 1);",
        "int[] x, int n) { RANGE.map(i -> x[i] = 1).sum();",
        "int[] x, int n) { java.util.function.IntConsumer c = i -> x[i] = 1; RANGE.forEach(c);",
        "int n) { RANGE.forEach(this::row); } final int[] x = new int[9]; void row(int i) { x[i]++;",
        "int[] x, int n) { java.util.stream.LongStream.range(0, 9).forEach(i -> x[(int) i] = 1);",
      })
  void iterationsAreDoneOneByOne(String source) throws Exception {
    assertThat(methods(loop(source))).as(source).isNotEmpty().noneMatch(FootprintTest::isLeaf);
  }

  private static boolean isLeaf(String method) {
    return method.startsWith("$reprise$summary$");
  }

  private static String loop(String rest) {
    return "void run(" + rest.replace("RANGE", "java.util.stream.IntStream.range(0, 9)") + " }";
  }

  /** Each number is used twice: whoever looked into all of them would never come to an end. */
  @Test
  void sumsOfSumsAreLookedIntoNoFurther() throws Exception {
    StringBuilder sums = new StringBuilder();
    for (int i = 0; i < 200; i++) {
      sums.append("n = n + n; ");
    }
    String row = "void row(int[] x, int n) { " + sums + "for (int j = 0; j < 3; j++) x[n + j]++; }";

    assertThat(methods(row)).contains("row");
  }

  /** A class that is loaded cannot be given other methods than it has. */
  @Test
  void aClassKeepsItsMethodsWhenItIsRedefined() throws Exception {
    Instrumenter instrumenter = instrumenter();
    ClassLoader loader = FootprintTest.class.getClassLoader();
    String rows =
        ROW
            + loop("int[] x) { RANGE.forEach(i -> x[i] = 1);")
            + loop("long[] x) { RANGE.forEach(i -> set(x, i));")
            + " static void set(long[] x, int i) { x[i] = 1; }";
    String other = rows.replace("x[i][k] = x[k][k];", "if (i > k) return;");

    Set<String> loaded = methods(instrumenter.instrument(loader, compile(rows), true));
    Set<String> redefined = methods(instrumenter.instrument(loader, compile(other), true));

    assertThat(loaded)
        .contains("$reprise$checked$row", "$reprise$summary$lambda$run$0", "$reprise$declared$set")
        .isEqualTo(redefined);
  }

  private static Instrumenter instrumenter() {
    return new FewerChecks(
        new Sites(),
        new Variables(),
        new Hierarchy(),
        Scope.everything(),
        (className, method, why) -> {});
  }

  private static Set<String> methods(String source) throws Exception {
    return methods(
        instrumenter().instrument(FootprintTest.class.getClassLoader(), compile(source), true));
  }

  private static Set<String> methods(byte @Nullable [] classFile) {
    ClassNode node = new ClassNode();
    new ClassReader(classFile == null ? new byte[0] : classFile).accept(node, 0);
    Set<String> names = new TreeSet<>();
    node.methods.forEach(method -> names.add(method.name));
    return names;
  }

  private static byte[] compile(String members) {
    byte[] file = Sources.compile(Map.of("P", "class P { " + members + " }")).get("P");
    return file == null ? new byte[0] : file;
  }
}
