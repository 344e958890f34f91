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
 * Which loops tell what the calls in them access before the first one. That it is right, {@link
 * EquivalenceTest} shows.
 */
class VisitTest {
  private static final String FIELDS =
      "private final int[][] rows = new int[9][]; final double[] x = new double[9];"
          + " private final double[] w = new double[3]; final int[] order = new int[9]; int[] any;"
          + " final int[][] given; double y;"
          + " P(int[][] g) { given = g; for (int e = 0; e < 9; e++) rows[e] = new int[] {e, 1, 2}; }";

  private static final String ELEMENT =
      " private void element(int e) { int[] row = rows[e];"
          + " for (int i = 0; i < 3; i++) x[row[i]]++; }";

  private static final String LOOP =
      " void loop(int[] c, int n, int m) { for (int e = m; e < n; e++) element(c[e]); }";

  @ParameterizedTest
  @ValueSource(
      strings = {
        LOOP,
        "void loop(int n) { for (int e = 0; e < n; e++) element(e); }",
        "void loop(int n) { for (int e = 0; e <= n; e++) element(e + 2); }",
        "void loop(int n) { int e = 0; while (e < n - 1) { element(order[e + 1]); e++; } }",
        "void loop(int[] c) { for (int e : c) element(e); }",
        "void loop(int[] c) { for (int e = 0; e < c.length; e++) element(c[e]); }",
        "void loop() { for (int e = 0; e < order.length; e++) element(order[e]); }",
        "void loop(int[] c, int k) { for (int i = 0; i < k; i++)"
            + " for (int e = i; e < k * k; e++) element(c[e]); }",
        "void loop(int[] c) { try { for (int e : c) element(e); } catch (RuntimeException f) {} }",
        "double loop(int n) { double s = 0; for (int e = 0; e < n; e++)"
            + " { element(e); if (e % 2 == 0) s += Math.sqrt(e); } return s; }",
        "Runnable loop(int[] c) { return () -> { for (int e = 0; e < 7; e++) element(c[e]); }; }",
      })
  void loopTellsBeforeItBegins(String loop) throws Exception {
    assertThat(methods(FIELDS + ELEMENT + loop))
        .as(loop)
        .contains("element", "$reprise$element", "$reprise$visit$element");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        // Not every row is visited once, by one and by one, until the bound.
        "void loop(int n) { for (int e = 0; e < n; e++) { if (e == 5) break; element(e); } }",
        "void loop(int n) { for (int e = 0; e < n; e++) if (e != 5) element(e); }",
        "void loop(int n) { for (int e = 0; e < n; e += 2) element(e); }",
        "void loop(int n) { for (int e = n; e > 0; e--) element(e); }",
        "void loop(int n) { for (int e = 0; e < n; e++) { element(e); if (e == 3) n++; } }",
        "void loop(int n) { for (int e = 0; e < n; e++) { element(e); if (e == 3) e++; } }",
        "void loop(int n) { int e = 0; do { element(e); e++; } while (e < n); }",
        "void loop(int n) { int k = 0; int e = 0; while (e < n)"
            + " { element(e); if (k++ % 2 == 0) continue; e++; } }",
        "void loop(int n) { for (int e = 0; e < n; e++) element(2 * e); }",
        "void loop(int n) { for (int e = 0; e < n; e++) element(order[order[e]]); }",
        "void loop(int n) { for (int e = 0; e < n; e++) for (int i = 0; i < e; i++) n -= i; }",
        "void loop(int[] c) { int[] d = c; for (int e = 0; e < 9; e++)"
            + " { element(d[e]); if (e == 3) d = order; } }",
        // The numbers, or where they come from, may change.
        "void loop(int[] c) { for (int e = 0; e < 9; e++) { element(c[e]); c[e] = 1; } }",
        "void loop(int n) { for (int e = 0; e < n; e++) element(any[e]); }",
        // Something else may be thrown, or must be seen, or ends the block.
        "void loop(int[] c, int n) { for (int e = 0; e < n; e++) { element(c[e]); n = 9 / n; } }",
        "void loop(int[] c, int[] d) { for (int e = 0; e < 9; e++) { element(c[e]); y += d[e]; } }",
        "void loop(int n) { for (int e = 0; e < n; e++) { element(e); y = 1; } }",
        "void loop(int n) { for (int e = 0; e < n; e++) { element(e); other(); } } void other() {}",
        "void loop(int n) { for (int e = 0; e < n; e++) synchronized (x) { element(e); } }",
        "void loop(int n) { for (int e = 0; e < n; e++)"
            + " try { element(e); } catch (RuntimeException f) {} }",
        "void loop(P p, int n) { for (int e = 0; e < n; e++) p.element(e); }",
        "void loop() { element(3); }",
      })
  void loopDoesNot(String loop) throws Exception {
    assertThat(methods(FIELDS + ELEMENT + loop))
        .as(loop)
        .contains("element")
        .doesNotContain("$reprise$visit$element", "$reprise$element");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        ELEMENT,
        "final void element(int e) { for (int i = 0; i < 3; i++) x[rows[e][i]] += w[i]; }",
        "private void element(int e) { x[rows[e][0]] = x[rows[e][2]]; }",
        "private void element(int e) { for (int i = 2; i <= 6; i += 2) x[rows[e][(i + 2) / 4]]++; }",
        "private double element(int e) { double s = 0; for (int i = 0; i < 3; i++)"
            + " for (int j = 0; j < 3; j++) s += x[rows[e][j]] * i; return s; }",
        "private void element(int e) { double[] d = new double[3]; for (int i = 0; i < 3; i++)"
            + " { d[i] = w[(i + 1) % 3]; if (d[i] > 0) d[0] = Math.abs(d[i]); }"
            + " for (int i = 0; i < 3; i++) x[rows[e][i]] = d[2 - i] / 3; }",
        "private double element(int e) { double s = x[rows[e][1]]; if (s > 0) s = 1; return s; }",
      })
  void methodVisitsARow(String element) throws Exception {
    assertThat(methods(FIELDS + element + LOOP)).as(element).contains("$reprise$visit$element");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        // Another method may be called in its place, or it does more.
        "void element(int e) { for (int i = 0; i < 3; i++) x[rows[e][i]]++; }",
        "private synchronized void element(int e) { x[rows[e][1]]++; }",
        "private void element(int e) { x[rows[e][1]]++; other(); } void other() {}",
        "private void element(int e) { x[rows[e][1]]++; y = 1; }",
        "private void element(int e) { x[rows[e][1]] = y; }",
        "private void element(int e) { x[rows[e][1]] = Math.random(); }",
        "private void element(int e) { try { x[rows[e][1]]++; } catch (RuntimeException f) {} }",
        "private void element(int e) { x[rows[e][1]]++; x[e] = 1; }",
        // Nobody knows where it looks, or whether it does.
        "private void element(int e) { for (int i = 0; i < rows[e].length; i++) x[rows[e][i]]++; }",
        "private void element(int e) { for (int i = 0; i < e; i++) x[rows[e][i]]++; }",
        "private void element(int e) { x[rows[e][e]]++; }",
        "private void element(int e) { x[rows[e + 1][0]]++; }",
        "private void element(int e) { x[rows[3][0]]++; }",
        "private void element(int e) { e++; x[rows[e][0]]++; }",
        "private void element(int e) { x[rows[e][0] + 1]++; }",
        "private void element(int e) { if (e > 1) x[rows[e][0]]++; }",
        "private void element(int e) { if (e > 1) return; x[rows[e][0]]++; }",
        "private void element(int e) { for (int i = 0; i < 3; i++) if (i != e) x[rows[e][i]]++; }",
        "private void element(int e) { for (int i = 0; i < 3; i++)"
            + " { x[rows[e][i]]++; if (i == e) break; } }",
        "private void element(int e) { for (int i = 0; i < 3; i++) x[rows[e][i * i]]++; }",
        "private void element(int e) { for (int i = 0; i < 0; i++) x[rows[e][i]]++; }",
        // It may throw whatever the rows are.
        "private void element(int e) { x[rows[e][1]] = 1 / e; }",
        "private void element(int e) { double[] d = new double[3]; d[3] = 1; x[rows[e][1]]++; }",
        "private void element(int e) { double[] d = new double[e]; x[rows[e][1]]++; }",
        "private void element(int e) { x[rows[e][-1]]++; }",
        // The rows are not constant, or not those of this object.
        "private void element(int e) { x[given[e][1]]++; }",
        "private void element(int e) { x[rows[e][1]]++; } void other() { rows[0][1] = 2; }",
        "private void element(int e) { x[rows[e][1]]++; } void other() { rows[0] = null; }",
        "private void element(int e) { x[rows[e][1]]++; } int[] other() { return rows[0]; }",
      })
  void methodDoesNot(String element) throws Exception {
    assertThat(methods(FIELDS + element + LOOP))
        .as(element)
        .contains("element")
        .doesNotContain("$reprise$visit$element");
  }

  @Test
  void methodsOfAClassVisitStaticRows() throws Exception {
    String source =
        "private static final int[][] rows = {{1}, {2}}; static final double[] x = new double[9];"
            + " static void element(int e, double d) { x[rows[e][0]] = d; }"
            + " static void loop(int[] c) { for (int e : c) element(e, 0.5); }";
    assertThat(methods(source)).contains("$reprise$visit$element");
    assertThat(methods(source + " static { loop(new int[3]); rows[0] = new int[] {2}; }"))
        .as("rows that somebody sees before they are all there")
        .contains("element")
        .doesNotContain("$reprise$visit$element");
  }

  /** A class that is loaded cannot be given other methods than it has. */
  @Test
  void aClassKeepsItsMethodsWhenItIsRedefined() throws Exception {
    Instrumenter instrumenter = instrumenter();
    String source = FIELDS + ELEMENT + LOOP;
    byte[] other = compile(source.replace("element(c[e])", "{ if (e > 2) element(c[e]); }"));
    byte[] file = compile(source);
    ClassLoader loader = new InstrumentedClasses(Map.of("P", file), instrumenter);

    Set<String> loaded = methods(instrumenter.instrument(loader, file, true));
    Set<String> redefined = methods(instrumenter.instrument(loader, other, true));

    assertThat(loaded).contains("$reprise$visit$element").isEqualTo(redefined);
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
    Instrumenter instrumenter = instrumenter();
    byte[] file = compile(source);
    // Constructors are looked up by the loader.
    ClassLoader loader = new InstrumentedClasses(Map.of("P", file), instrumenter);
    return methods(instrumenter.instrument(loader, file, true));
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
