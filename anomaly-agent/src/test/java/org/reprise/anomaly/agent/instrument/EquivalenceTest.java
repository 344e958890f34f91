package org.reprise.anomaly.agent.instrument;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationTargetException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.reprise.anomaly.agent.instrument.program.Hierarchy;
import org.reprise.anomaly.agent.instrument.program.Scope;
import org.reprise.anomaly.agent.instrument.program.Sites;
import org.reprise.anomaly.agent.instrument.program.Variables;

/** Fewer checks report exactly what one check per access reports. */
class EquivalenceTest {
  private static final int SIZE = 8;

  /** Shared, so that both sides number fields alike. */
  private static final Variables variables = new Variables();

  /** One run of a random program: what was reported, and what the program left behind. */
  record Run(Recorder.Record record, String result) {}

  static Run run(String name, Map<String, byte[]> classFiles, boolean every, int n, int m)
      throws Exception {
    Sites sites = new Sites();
    Hierarchy hierarchy = new Hierarchy();
    Warnings warnings = (className, method, why) -> {};
    Scope scope = Scope.everything();
    Instrumenter instrumenter =
        every
            ? new EveryAccess(sites, variables, hierarchy, scope, warnings)
            : new FewerChecks(sites, variables, hierarchy, scope, warnings);
    Class<?> nest = new InstrumentedClasses(classFiles, instrumenter).loadClass(name);
    double[][] a = new double[SIZE][SIZE];
    double[] b = new double[SIZE * 2];
    int[] c = {3, 1, 4, 1, 5, 2, 6, 5};
    Object o = nest.getConstructor().newInstance();
    Map<String, Object> watched = new LinkedHashMap<>();
    watched.put("a", a);
    watched.put("b", b);
    watched.put("c", c);
    watched.put("o", o);
    Recorder.INSTALLED.start(watched);
    String ending = "returned";
    try {
      nest.getMethod(
              "run", double[][].class, double[].class, int[].class, int.class, int.class, nest)
          .invoke(null, a, b, c, n, m, o);
    } catch (InvocationTargetException e) {
      ending = String.valueOf(e.getCause());
    }
    Recorder.Record record = Recorder.INSTALLED.stop();
    return new Run(
        record, ending + java.util.Arrays.deepToString(a) + java.util.Arrays.toString(b));
  }

  @Test
  void randomLoopNestsReportTheSameAccesses() throws Exception {
    long first = Long.getLong("reprise.seed", 1);
    Map<String, String> sources = new LinkedHashMap<>();
    for (long seed = first; seed < first + Integer.getInteger("reprise.seeds", 100); seed++) {
      sources.put("NestMates" + seed, new RandomNests("NestMates" + seed, seed).source());
    }
    int[] calls = compare(sources);
    assertThat(calls[0]).as("hook calls against %d", calls[1]).isLessThan(calls[1] / 2);
  }

  /** Loops whose accesses can be reported behind them, and those that miss it by one thing. */
  @Test
  void loopsOnTheEdgeReportTheSameAccesses() throws Exception {
    String[] bodies = {
      "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) b[c[j]] = i;",
      "for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) b[c[j]] = i;",
      "for (int i = 0; i < n; i++) for (int j = i; j < m; j++) b[c[j]] = i;",
      "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) b[c[j] + i] = i;",
      "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) { b[c[j]] = i; c[j] = i % 3; }",
      "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) b[c[(i + j) % 8]] = i;",
      "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++)"
          + " { b[c[j]] = i; if (i + j > 6) break; }",
      "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) if (j != i) b[c[j]] = i;",
      "for (int i = 0; i < n; i++) for (int j = 0; j < m; j += 1 + i % 2) b[c[j]] += i;",
      "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) b[c[j]] += a[i][j];",
      "for (int j = m; j >= 0; j -= 2) b[c[j]] = 1;",
      "for (int j = 0; j < 20; j++) b[c[2 * j + 1]] = a[1][c[j]];",
      "for (int j = 0; j < n; j++) { int k = c[j]; b[k] = a[1][k]; a[2][k]++; }",
      "for (int j = 0; j < n; j++) { if (c[j] == 4) break; b[c[j]] = 1 / (m - j); }",
      "for (int j = 0; j < n; j++) { b[9] = 1 / (m - j); b[c[j]] = a[1][c[j + 1]]; }",
      "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++)"
          + " a[1][j] += b[c[j]] + 1 / (2 - i * j);",
      "int[] d = c; for (int j = 0; j < m; j++) { b[d[j]] = 1; if (j == 1) d = new int[9]; }",
      "double[] r = b; for (int j = 0; j < m; j++) { r[c[j]] = 1; if (j == 1) r = a[1]; }",
      "for (int i = 0; i < n; i++) { b[c[i]] = i; for (int j = 0; j < m; j++) b[c[i + j]] += j; }",
      "int j = 0; for (int i = 0; i < n; i++) { b[j] = a[1][i]; if (i % 2 == 0) j++; }",
      "int j = 0; for (int i = 0; i < n; i++) if (i % 3 != 1) b[j++] = i;",
      "int j = 0; for (int i = 0; i < n; i++) if (i % 3 != 1) b[j++] = i; else j++;",
      "int j = 0; for (int i = 0; i < n; i++) { if (i % 3 != 1) b[j] = i; if (i % 2 != 1) j++; }",
      "int j = 0; for (int i = 0; i < n; i++) if (c[i] > 3) b[j++] = i; else b[j++] += a[1][i];",
      "int j = 0; for (int i = 0; i < n; i++) if (c[i] > 3) b[j++] = i; else if (i < 4) b[j++] = 1;",
      "int j = 9; for (int i = 0; i < n; i++) if (c[i] > 3) b[j--] = i; else s(b[j--] / (c[i] - 1));",
      "int j = 0; for (int i = 0; i < 20; i++) { if (i % 2 == 0) b[j++] = 1 / (m - i); c[i] = j; }",
      "int i = 0, j = 3, k = 0; while (i < 3 && j < n) if (c[i] <= c[j]) b[k++] = c[i++];"
          + " else b[k++] = c[j++];",
      "int i = 0, j = 3; for (int k = 0; k < n; k++)"
          + " b[k] = i < 3 && (j == n || c[i] <= c[j]) ? c[i++] : c[j++];",
      "int i = 0, j = 3, k = 0; while (i < 3) { if (c[i] <= c[j]) b[k++] = c[i++];"
          + " else if (k == m) break; else b[k++] = c[j++]; }",
      "int j = 0; double[] r = b; for (int i = 0; i < n; i++)"
          + " { if (i % 3 != 1) r[j++] = i; if (i == m) r = a[1]; }",
      "int j = 0; for (int i = 0; i < n; i++) if (i % 3 != 1) a[i][j++] = i;",
      "int j = 0; for (int i = 0; i < n; i++) try { if (i != 1) b[j++] = 1 / (m - i); }"
          + " catch (ArithmeticException e) { j++; }",
      "int j = 0; for (int i = 0; i < n; i++) { if (c[i] == 4) continue; b[j++] = 1; b[j] = 2; }",
      "for (int i = 1; i < n; i++) { int x = c[i], j = i - 1; while (j >= 0 && c[j] > x)"
          + " { c[j + 1] = c[j]; j--; } c[j + 1] = x; }",
      "for (int i = 1; i < n; i++) { int x = c[i], j = i - 1; while (c[j] > x)"
          + " { c[j + 1] = c[j]; j--; } if (i != m) c[j + 1] = x; else c[j] = x; }",
      "for (int i = 1; i < n; i++) { int j = 0; while (j < i && c[j] < 5) { b[j] = c[j]; j++; }"
          + " b[j] = i; b[j + 2] = 1; }",
      "int j = 0; while (j < n) { b[j] = j; if (j == m) break; a[j][2] = 1; j++; }",
      "int j = 0; do { b[j + 1] = b[j]; j += 2; } while (j < n);",
      "for (int j = n; j > 0; j--) b[j - 1] += b[j] + b[j + 1];",
      "for (int j = 0; j < 20; j++) { b[j] = 1; a[1][j + 3] = 2; a[2][j] = 3; }",
      "for (int j = 0; j < 20; j++) { b[2 * j] = a[m][j] / (n - j); b[j] = c[j] / (m - j); }",
      "try { for (int j = 0; j < 20; j++) { b[j] = 1; a[j][j] = 2; } }"
          + " catch (RuntimeException e) { b[3] = 1; }",
      "double[] r = a[1]; for (int j = 0; j < n; j++) { r[j] = j; if (j == 2) r = a[2]; }",
      "for (int j = 0; j < n; j++) { a[j % 2][j] = 1; a[m % 8][j] = a[0][m % 8]; }",
      "for (int j = 0; j < n; j++) { a[m % 8][j] = 1; if (j == 1) a[m % 8] = a[3]; }",
      "for (int j = 0; j < n; j++) { int k = j; j = j + m % 2; b[k] = j; }",
      "for (int j = 0; j < n; j++) { int k = 7 - j; b[k] = b[k + 1]; k = 3; b[k] += k; }",
    };
    Map<String, String> sources = new LinkedHashMap<>();
    for (int i = 0; i < bodies.length; i++) {
      String name = "Edge" + i;
      sources.put(
          name,
          String.format(
              "public class %s { public static void run("
                  + "double[][] a, double[] b, int[] c, int n, int m, %s o) { %s }"
                  + " static void s(double d) {} }",
              name, name, bodies[i]));
    }
    compare(sources);
  }

  /** Methods that are checked once a call, called with parts and with what is none. */
  @Test
  void partsOfArraysReportTheSameAccesses() throws Exception {
    String[] calls = {
      "sort(c, new int[8], 0, n);",
      "sort(new int[8], c, 0, n);",
      "sort(c, new int[8], 3, n); sort(c, new int[8], 0, 3);",
      "sort(c, new int[8], -1, n);",
      "sort(c, new int[8], 0, n + 1);",
      "sort(c, new int[4], 0, n);",
      "sort(c, null, 0, n);",
      "sort(c, c, 0, n);",
      "sort(c, new int[8], n, 0);",
      "merge(c, new int[8], 0, m, n);",
      "merge(c, new int[8], 0, n, m);",
      "merge(c, new int[8], m, 0, n);",
      "merge(c, new int[8], n, n, n);",
      "merge(new int[n], c, 0, m, n);",
      "merge(c, new int[8], Integer.MIN_VALUE, 0, Integer.MAX_VALUE);",
      "fill(b, 1, m); fill(b, n, 15); fill(b, 3, 20); fill(b, 5, 4); fill(b, 5, 3);",
      "clear(b, m, n); clear(b, 10, 16); clear(b, 12, 16, 0); clear(b, 12, 9, 1);",
      "o(sum(b, 0, 3, n) + sum(b, m, 9, n) + sum(b, 9, m, n) + sum(b, 0, n, Integer.MAX_VALUE));",
      "some(b, 0, n, m); some(b, 2, 16, 40); some(b, 0, 17, 3);",
      "turn(a[0], a[1], a[2], 0, n); turn(a[1], a[2], a[3], 0, m);",
    };
    Map<String, String> sources = new LinkedHashMap<>();
    for (int i = 0; i < calls.length; i++) {
      sources.put(
          "ArrayPart" + i,
          String.format(
              "public class ArrayPart%d { public static void run("
                  + "double[][] a, double[] b, int[] c, int n, int m, ArrayPart%d o) { %s } %s"
                  + " static void o(double d) {}"
                  + " static void fill(double[] x, int p, int q)"
                  + " { for (int i = p; i <= q; i++) x[i] = i; }"
                  + " static void clear(double[] x, int p, int q)"
                  + " { for (int i = q; i > p; ) x[--i] = 0; }"
                  + " static void clear(double[] x, int p, int q, int r)"
                  + " { if (r == 1) return; for (int i = q - 1; i >= p; i--) x[i] = 0; }"
                  + " static double sum(double[] x, int p, int q, int r)"
                  + " { double s = r + 1; for (int i = p; i < q; i++) s += x[i]; return s; }"
                  + " static void turn(double[] x, double[] y, double[] z, int p, int q)"
                  + " { if (q - p > 2) turn(x, z, y, p, q - 2); fill(y, p, q - 1);"
                  + " for (int i = p; i < q; i++) x[i] = i; }"
                  + " static void some(double[] x, int p, int q, int r)"
                  + " { for (int i = p; i < q; i++) if (i != r) x[i] = i; else break; } }",
              i, i, calls[i], PartsTest.SORT));
    }
    compare(sources);
  }

  /** Methods that are checked when they are entered, with arrays that hold it all and others. */
  @Test
  void footprintsReportTheSameAccesses() throws Exception {
    String[] calls = {
      "for (int i = 1; i < n; i++) row(a, 0, i, n);",
      "row(a, m - 1, m, n);",
      "row(a, 2, 2, n);",
      "row(a, n, 1, n);",
      "row(a, 0, 1, 9);",
      "row(a, -1, 1, n);",
      "row(a, 1, -1, n);",
      "row(null, 1, 2, n);",
      "a[2] = null; row(a, 1, 2, n);",
      "a[1] = null; row(a, 1, 2, n);",
      "a[1] = a[4]; a[1] = new double[2]; row(a, 1, 2, n);",
      "a[2] = new double[m]; row(a, 1, 2, n);",
      "turns(a, 1, n, 0); turns(a, 2, n, 1); turns(a, 3, m, 0);",
      "turns(a, 0, n, 1);",
      "turns(a, 1, 20, 1);",
      "far(b, 2147483647);",
      "far(b, 2147483646);",
      "far(b, 2147483643);",
      "o.all(b, n);",
      "o.all(b, 17);",
      "o.all(null, n);",
      "lengths(a, 1); lengths(a, n);",
      "a[1] = null; lengths(a, 1);",
      "upTo(b, m, n); upTo(b, n, m); upTo(b, 0, 2147483647);",
    };
    Map<String, String> sources = new LinkedHashMap<>();
    for (int i = 0; i < calls.length; i++) {
      sources.put(
          "Foot" + i,
          String.format(
              "public class Foot%d { public static void run("
                  + "double[][] a, double[] b, int[] c, int n, int m, Foot%d o) { %s }"
                  + " static void row(double[][] x, int k, int i, int n)"
                  + " { double f = x[i][k] / x[k][k]; x[i][k] = f;"
                  + " for (int j = k + 1; j < n; j++) x[i][j] -= f * x[k][j]; }"
                  + " static void turns(double[][] x, int i, int n, int first)"
                  + " { double[] above = x[i - 1], row = x[i], below = x[i + 1];"
                  + " for (int j = 1 + (i + first) %% 2; j < n - 1; j += 2)"
                  + " row[j] = above[j] + below[j] + row[j - 1] + row[j] + row[j + 1]; }"
                  + " static void far(double[] x, int q)"
                  + " { for (int j = 2147483640; j < q; j += 3) x[j - 2147483640] = 1; }"
                  + " void all(double[] x, int q)"
                  + " { double s = 0; for (int j = 0; j < q; j++) s += Math.sqrt(x[j]);"
                  + " x[0] = s; for (int j = 1; j < q; j++) x[j] = x[j - 1]; }"
                  + " static void lengths(double[][] x, int i)"
                  + " { for (int j = 0; j < x[i].length; j++) x[0][j] = x[i][j]; }"
                  + " static void upTo(double[] x, int p, int q)"
                  + " { for (int j = p; j <= q; j++) x[j] = x[j + 1]; } }",
              i, i, calls[i]));
    }
    int[] counted = compare(sources);
    assertThat(counted[0]).as("hook calls against %d", counted[1]).isLessThan(counted[1] / 2);
  }

  /** Loops that tell before they begin what their calls access, and those that must not. */
  @Test
  void visitsOfRowsReportTheSameAccesses() throws Exception {
    String[] loops = {
      "for (int e = 0; e < n; e++) element(c[e]);",
      "for (int e = 0; e < n; e++) element(e);",
      "for (int e = 0; e <= n; e++) element(e);",
      "for (int e = m; e < n; e++) element(e - 1);",
      "for (int e = -1; e < n; e++) element(e + 1);",
      "for (int e = 0; e < n; e++) element(c[e + 1]);",
      "for (int e = 0; e < 9; e++) element(c[e]);",
      "for (int e : c) element(e);",
      "for (int e = 0; e < n; e++) element(null_[e]);",
      "for (int e = 0; e < n; e++) element(order[e]);",
      "for (int e = 0; e < n; e++) element(sorted[e]);",
      "for (int e = 0; e < n; e++) element(far[e]);",
      "for (int i = 0; i < m; i++) for (int e = 0; e < n; e++) element(c[e]);",
      "for (int i = 0; i < m; i++) { for (int e = 0; e < n; e++) element(c[e]); c[i] = i; }",
      "try { for (int e = 0; e < 9; e++) element(c[e]); } catch (RuntimeException f) { x[1] = 1; }",
      "double s = 0; for (int e = 0; e < n; e++) s += sum(c[e], e); x[0] = s;",
      "for (int e = 0; e < n; e++) count(c[e]);",
      "for (int e = 0; e < n; e++) holes(c[e]);",
      "for (int e = 0; e < n; e++) weighted(c[e]);",
      "for (int e = 0; e < n; e++) corners(c[e]);",
      "for (int e = 0; e < n; e++) broken(c[e]);",
      "for (int e = 0; e < n; e++) broken(e);",
      "for (int e = 0; e < n; e++) broken(far[e]);",
      "for (int e = 0; e < n; e++) beyond(e);",
      "for (int e = 0; e < n; e++) beyond(c[e]);",
      "for (int e = 0; e < n; e++) narrow(e);",
      "for (int e = 2147483647 - n; e <= 2147483647 - 1; e++) element(e - 2147483640);",
    };
    Map<String, String> sources = new LinkedHashMap<>();
    for (int i = 0; i < loops.length; i++) {
      sources.put("RowVisit" + i, visits("RowVisit" + i, loops[i]));
    }
    compare(sources);
  }

  private static String visits(String name, String loop) {
    return ("public class @ { private final int[][] rows = new int[8][];"
            + " private final int[][] odd = new int[8][]; private final int[][] high = new int[8][]; private final double[] w = {1, 2, 3};"
            + " final double[] x; final int[] y; private final int[] order = {1, 7, 0, 2, 3, 4, 6, 5};"
            + " final int[] sorted; final int[] null_ = null; final int[] far = {1, 0, 9, 2, -1, 3, 7, 0};"
            + " { for (int e = 0; e < 8; e++) { rows[e] = new int[] {e, (3 * e + 1) % 8, 7};"
            + " high[e] = new int[] {e, e == 3 ? 16 : 1};"
            + " if (e == 3) odd[e] = new int[] {1, 2, 99}; else if (e == 4) odd[e] = new int[] {5, 6};"
            + " else if (e == 5) odd[e] = new int[] {1, -1, 2};"
            + " else if (e < 7) odd[e] = new int[] {e, 1, 2}; } }"
            + " public @() { x = new double[9]; y = new int[9]; sorted = y; }"
            + " @(double[] b, int[] c) { x = b; y = c; sorted = c; }"
            + " public static void run(double[][] a, double[] b, int[] c, int n, int m, @ o)"
            + " { new @(b, c).go(b, c, n, m); }"
            + " void go(double[] b, int[] c, int n, int m) { "
            + loop
            + " }"
            + " private void element(int e) { int[] row = rows[e]; for (int i = 0; i < 3; i++)"
            + " { double s = 0; for (int j = 0; j < 2; j++) s += x[row[j]]; x[row[i]] = s; } }"
            + " private double sum(int e, double d)"
            + " { return d + x[rows[e][2]] / 2 + x[rows[e][0]]; }"
            // Where y holds the numbers, each call changes those of later ones.
            + " private void count(int e)"
            + " { y[rows[e][1]] = 0; }"
            + " private void holes(int e) { for (int i = 0; i < 3; i += 2) x[rows[e][i]]--; }"
            + " private void weighted(int e)"
            + " { for (int i = 2; i < 5; i++) x[rows[e][(i + 1) % 3]] += w[i - 2]; }"
            + " private void corners(int e) { x[rows[e][1]] = x[rows[e][0]]; }"
            + " private void beyond(int e) { x[high[e][0]] = e; x[high[e][1]]++; }"
            + " private void narrow(int e)"
            + " { for (int i = 1; i < 5; i++) x[rows[e][i % 3]] = w[i - 1]; }"
            + " private void broken(int e)"
            + " { for (int i = 0; i < 3; i++) x[odd[e][i]] += Math.sqrt(x[odd[e][0]]); } }")
        .replace("@", name);
  }

  /** Runs each class with both; returns how often hooks were called, with fewer and with all. */
  private static int[] compare(Map<String, String> sources) throws Exception {
    int few = 0;
    int many = 0;
    Map<String, byte[]> classFiles = Sources.compile(sources);
    for (String name : sources.keySet()) {
      String source = sources.get(name);
      for (int[] sizes : new int[][] {{5, 3}, {SIZE, SIZE}, {0, 1}}) {
        Run every = run(name, classFiles, true, sizes[0], sizes[1]);
        Run fewer = run(name, classFiles, false, sizes[0], sizes[1]);
        assertThat(fewer.result()).as(source).isEqualTo(every.result());
        assertThat(fewer.record().differenceFrom(every.record()))
            .as("n=%d m=%d\n%s", sizes[0], sizes[1], source)
            .isNull();
        few += fewer.record().calls();
        many += every.record().calls();
      }
    }
    return new int[] {few, many};
  }
}
