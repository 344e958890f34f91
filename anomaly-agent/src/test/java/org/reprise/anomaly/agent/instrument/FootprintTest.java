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
        "void row(int[] x, int i) { for (int j = i % 2; j < x.length; j += 2) x[j]++; }",
        "void row(int[] x, int n) { for (int j = 1; j < n; j += 2) x[j] += x[j - 1] + x[j + 1]; }",
        "int row(int[] x) { int s = 0; for (int j = 0; j <= 7; j++) s += x[j]; return s; }",
        "void row(int[] x, int[] y) { for (int j = 0; j < 7; j++) x[j] = 1;"
            + " for (int j = 0; j < 3; j++) y[j + 1] = x[j]; }",
      })
  void isKnown(String source) throws Exception {
    assertThat(methods(source)).as(source).contains("$reprise$row", "$reprise$checked$row");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        // What is accessed depends on more than the arguments.
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
        "void row(int[] x, int n) { for (int i = 0; i < n; i++)"
            + " for (int j = 0; j < n; j++) x[j] = 1; }",
      })
  void isNot(String source) throws Exception {
    assertThat(methods(source)).as(source).contains("row").doesNotContain("$reprise$checked$row");
  }

  /** A class that is loaded cannot be given other methods than it has. */
  @Test
  void aClassKeepsItsMethodsWhenItIsRedefined() throws Exception {
    Instrumenter instrumenter = instrumenter();
    ClassLoader loader = FootprintTest.class.getClassLoader();
    String other = ROW.replace("x[i][k] = x[k][k];", "if (i > k) return;");

    Set<String> loaded = methods(instrumenter.instrument(loader, compile(ROW), true));
    Set<String> redefined = methods(instrumenter.instrument(loader, compile(other), true));

    assertThat(loaded).contains("$reprise$checked$row").isEqualTo(redefined);
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
