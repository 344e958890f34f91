package org.reprise.anomaly.agent.instrument;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodNode;
import org.reprise.anomaly.agent.instrument.parts.ArrayParts;
import org.reprise.anomaly.agent.instrument.program.Hierarchy;
import org.reprise.anomaly.agent.instrument.program.Scope;
import org.reprise.anomaly.agent.instrument.program.Sites;
import org.reprise.anomaly.agent.instrument.program.Variables;

/**
 * Which methods access all of a part of their arrays and nothing else. That what is reported of
 * them is right, {@link EquivalenceTest} shows.
 */
class PartsTest {
  /** The last parameters of {@code merge} and {@code sort} are behind the part. */
  static final String SORT =
      """
      static void merge(int[] x, int[] y, int from, int middle, int to) {
        for (int i = from; i < to; i++) y[i] = x[i];
        int left = from, right = middle, at = from;
        while (left < middle && right < to)
          if (y[left] <= y[right]) x[at++] = y[left++]; else x[at++] = y[right++];
        while (left < middle) x[at++] = y[left++];
        while (right < to) x[at++] = y[right++];
      }
      static void sort(int[] x, int[] y, int from, int to) {
        if (to - from < 2) return;
        if (to - from <= 3) {
          for (int i = from + 1; i < to; i++) {
            int moved = x[i], j = i - 1;
            while (j >= from && x[j] > moved) { x[j + 1] = x[j]; j--; }
            x[j + 1] = moved;
          }
          return;
        }
        int middle = (from + to) >>> 1;
        sort(x, y, from, middle);
        sort(x, y, middle, to);
        merge(x, y, from, middle, to);
      }
      """;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "static void part(int[] x, int p, int q) { for (int i = p; i < q; i++) x[i] = 1; }",
        "static void part(int[] x, int p, int q) { for (int i = p; i <= q; i++) x[i] += i; }",
        "static void part(int[] x, int p, int q) { for (int i = q - 1; i >= p; i--) x[i] = i; }",
        "static int part(int[] x, int p, int q)"
            + " { int s = 0; for (int i = p; i < q; i++) s += x[i]; return s; }",
        "static void part(int[] x, int p, int q, int by)"
            + " { for (int i = p; i < q; i++) x[i] += by; }",
        "static void part(int[] x, int p, int q) { if (q - p < 2) return;"
            + " for (int i = p; i < q; i++) x[i] = 1; }",
        "static void part(int[] x, int p, int q) { if (q - p < 9) { all(x, p, q); return; }"
            + " int m = p + (q - p) / 2; part(x, p, m); part(x, m, q); all(x, p, q); }"
            + " static void all(int[] x, int p, int q) { for (int i = p; i < q; i++) x[i]++; }",
        "static void part(int[] x, int p, int q) { if (q - p < 2) return; int m = (p + q) / 2;"
            + " part(x, p, m); part(x, m, q); for (int i = p; i < q; i++) x[i] = 1; }",
        "static void part(int[] x, int p, int q)"
            + " { for (int i = p; i < q; i++) if (x[i] > 3) x[i] = 1; else x[i] = 2; }",
      })
  void accessesAllOfThePart(String source) throws Exception {
    assertThat(isWhole(source, "part")).as(source).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        // One more, one less, or only some.
        "static void part(int[] x, int p, int q) { for (int i = p; i < q; i++) x[i] = x[i + 1]; }",
        "static void part(int[] x, int p, int q) { for (int i = p; i < q; i++) x[i] = x[i - 1]; }",
        "static void part(int[] x, int p, int q) { for (int i = p + 1; i < q; i++) x[i] = 1; }",
        "static void part(int[] x, int p, int q) { for (int i = p; i < q - 1; i++) x[i] = 1; }",
        "static void part(int[] x, int p, int q) { for (int i = p; i < q; i += 2) x[i] = 1; }",
        "static void part(int[] x, int p, int q)"
            + " { for (int i = p; i < q; i++) if (x[i] > 3) x[i] = 1; }",
        "static void part(int[] x, int p, int q)"
            + " { for (int i = p; i < q; i++) { if (x[i] > 3) break; x[i] = 1; } }",
        "static void part(int[] x, int p, int q)"
            + " { for (int i = p; i < q; i++) { if (x[i] > 3) return; x[i] = 1; } }",
        // Others than those that it is given, or more than elements.
        "static void part(int[] x, int p, int q)"
            + " { x = new int[q]; for (int i = p; i < q; i++) x[i] = 1; }",
        "static int n; static void part(int[] x, int p, int q)"
            + " { for (int i = p; i < q; i++) x[i] = n; }",
        "static void part(int[] x, int p, int q) { for (int i = p; i < q; i++) x[i] = q / i; }",
        "static void part(Object[] x, int p, int q) { for (int i = p; i < q; i++) x[i] = \"\"; }",
        "static synchronized void part(int[] x, int p, int q)"
            + " { for (int i = p; i < q; i++) x[i] = 1; }",
        "static void part(int[] x, int p, int q) { try { for (int i = p; i < q; i++) x[i] = 1; }"
            + " catch (RuntimeException e) { x[p] = 1; } }",
        "static void part(int[] x, int p, int q)"
            + " { for (int i = p; i < q; i++) { x[i] = 1; Thread.yield(); } }",
        // Calls that go too far.
        "static void part(int[] x, int p, int q) { if (q - p < 2) return; int m = (p + q) >>> 1;"
            + " part(x, p, m + 1); part(x, m, q + 1); for (int i = p; i < q; i++) x[i] = 1; }",
        "static void part(int[] x, int p, int q) { if (p < q) part(x, p + 1, q + 1);"
            + " for (int i = p; i < q; i++) x[i] = 1; }",
        // What is behind the largest int is negative.
        "static void part(int[] x, int p, int q) { for (int i = p, k = 0; i < q; i++, k += 99)"
            + " { x[i] = 1; if (k < 0) x[0] = 1; } }",
      })
  void accessesMoreOrLess(String source) throws Exception {
    assertThat(isWhole(source, "part")).as(source).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"merge", "sort"})
  void sortsAndMergesAccessAllOfThePart(String name) throws Exception {
    assertThat(isWhole(SORT, name)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "while (left < middle) x[at++] = y[left++];|",
        "int left = from,|int left = from + 1,",
        "while (right < to) x|while (right <= to) x",
        "x[at++] = y[right++];\n  while|x[at] = y[right++];\n  while",
      })
  void mergesThatLeaveSomethingOutDoNot(String change) throws Exception {
    String[] texts = change.split("\\|", -1);
    String changed = SORT.replaceFirst(Pattern.quote(texts[0]), texts[1]);
    assertThat(changed).isNotEqualTo(SORT);
    assertThat(isWhole(changed, "merge")).as(changed).isFalse();
    assertThat(isWhole(changed, "sort")).as(changed).isFalse();
  }

  /** A class that is loaded cannot be given other methods than it has. */
  @Test
  void aClassKeepsItsMethodsWhenItIsRedefined() throws Exception {
    String other = SORT.replace("int left = from,", "int left = from + 1,");
    Instrumenter instrumenter = instrumenter();
    ClassLoader loader = PartsTest.class.getClassLoader();

    Set<String> loaded = methods(instrumenter.instrument(loader, compile(SORT), true));
    Set<String> redefined = methods(instrumenter.instrument(loader, compile(other), true));

    assertThat(loaded).contains("$reprise$sort", "$reprise$merge").isEqualTo(redefined);
  }

  @Test
  void aClassThatWasLoadedBeforeTheAgentGetsNoMethods() throws Exception {
    assertThat(methods(instrumenter().instrument(null, compile(SORT), false)))
        .containsExactlyInAnyOrder("<init>", "sort", "merge");
  }

  private static Instrumenter instrumenter() {
    return new FewerChecks(
        new Sites(),
        new Variables(),
        new Hierarchy(),
        Scope.everything(),
        (className, method, why) -> {});
  }

  private static Set<String> methods(byte @Nullable [] classFile) {
    Set<String> names = new TreeSet<>();
    node(classFile == null ? new byte[0] : classFile)
        .methods
        .forEach(method -> names.add(method.name));
    return names;
  }

  private static byte[] compile(String methods) {
    byte[] file = Sources.compile(Map.of("P", "class P { " + methods + " }")).get("P");
    return file == null ? new byte[0] : file;
  }

  private static ClassNode node(byte[] classFile) {
    ClassNode node = new ClassNode();
    new ClassReader(classFile).accept(node, ClassReader.EXPAND_FRAMES);
    return node;
  }

  private static boolean isWhole(String methods, String name) {
    return ArrayParts.of(node(compile(methods))).whole().keySet().stream()
        .map((MethodNode method) -> method.name)
        .anyMatch(name::equals);
  }
}
