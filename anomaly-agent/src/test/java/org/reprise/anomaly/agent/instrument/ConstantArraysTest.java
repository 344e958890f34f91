package org.reprise.anomaly.agent.instrument;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodNode;
import org.reprise.anomaly.agent.instrument.flow.FlowGraph;
import org.reprise.anomaly.agent.instrument.flow.Values;
import org.reprise.anomaly.agent.instrument.loop.ConstantArrays;
import org.reprise.anomaly.agent.instrument.program.Hierarchy;
import org.reprise.anomaly.agent.instrument.program.Scope;
import org.reprise.anomaly.agent.instrument.program.Sites;
import org.reprise.anomaly.agent.instrument.program.Summaries;
import org.reprise.anomaly.agent.instrument.program.Variables;

/** Of which arrays it is known that only the constructor writes them. */
class ConstantArraysTest {
  private static final String READS =
      "int at(int i) { return table[i]; } static void use(int[] a) { a[0]++; } ";

  /** Whether the array that {@code at} loads an int from is constant. */
  private static boolean isConstant(String members) throws Exception {
    String source = "final class T { " + members + " }";
    return isConstant("T", source, Sources.compile(Map.of("T", source)));
  }

  private static boolean isConstant(String name, String source, Map<String, byte[]> files)
      throws Exception {
    Hierarchy hierarchy = new Hierarchy();
    ClassLoader loader =
        new InstrumentedClasses(
            files,
            new FewerChecks(
                new Sites(),
                new Variables(),
                hierarchy,
                Scope.everything(),
                (className, method, why) -> {}));
    ClassNode owner = new ClassNode();
    new ClassReader(files.get(name)).accept(owner, 0);
    ConstantArrays found = ConstantArrays.of(owner, new Summaries(hierarchy), hierarchy, loader);
    MethodNode at =
        owner.methods.stream().filter(method -> method.name.equals("at")).findFirst().orElseThrow();
    FlowGraph graph = new FlowGraph(at);
    Values values = new Values(at, graph);
    for (int node : graph.order()) {
      if (graph.instruction(node).getOpcode() == Opcodes.IALOAD) {
        return found.contains(values, values.operand(node, 1));
      }
    }
    throw new AssertionError("at loads no int: " + source);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "private final int[] table = new int[9];",
        "private final int[] table = {1, 2, 3};",
        "private final int[] table; T(int n) { table = new int[n];"
            + " for (int i = 0; i < n; i++) table[i] = i; }",
        "private final int[] table; T(int n) { int[] a = new int[n]; a[0] = 7; table = a; }",
        "private final int[] table = new int[9]; int length() { return table.length; }"
            + " boolean is(Object o) { return table == o; }",
        "private final int[] table = new int[9]; class Inner { int n; void set() { n = 1; } }",
      })
  void anArrayThatTheConstructorMakesAndFillsIsConstant(String members) throws Exception {
    assertThat(isConstant(members + READS)).as(members).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "private static final int[] table = new int[9];",
        "private static final int[] table = new int[9]; static { table[3] = 4; }",
      })
  void soIsOneThatTheClassMakesWhenItIsInitialised(String members) throws Exception {
    assertThat(isConstant(members + READS)).as(members).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "final int[] table = new int[9];",
        "private int[] table = new int[9];",
        "private final int[] table; T(int[] given) { table = given; }",
        "private final int[] table = new int[9].clone();",
        "private final int[] table = new int[9]; void set(int i) { table[i] = 1; }",
        "private final int[] table = new int[9]; void set(T t) { t.table[0] = 1; }",
        "private final int[] table = new int[9]; int[] all() { return table; }",
        "private final int[] table = new int[9]; void give() { use(table); }",
        "private final int[] table = new int[9]; Object kept; void keep() { kept = table; }",
        "private final int[] table = new int[9]; Object[] kept = new Object[1];"
            + " void keep() { kept[0] = table; }",
        "private final int[] table = new int[9]; T() { use(table); }",
        "private final int[] table = new int[9]; static T last; T() { last = this; table[0] = 1; }",
        "private final int[] table = new int[9]; T(T other) { other.table[0] = 1; }",
        "private final int[] table, other; T() { int[] a = new int[9]; table = a; other = a; }"
            + " void set() { other[0] = 1; }",
        "private final int[] table = new int[9]; Runnable later() { return () -> table[0]++; }",
        "private final int[] table = new int[9];"
            + " void set(boolean b) { int[] a = b ? table : new int[1]; a[0] = 1; }",
        "private final int[] table = new int[9]; class Inner { void set() { table[0] = 1; } }",
        "private final int[] table = new int[9]; class Inner { int at() { return table[0]; } }",
        "private final int[] table = new int[9];"
            + " class Inner { class Innermost { void set() { table[0] = 1; } } }",
        "private final int[] table = new int[9];"
            + " Runnable later() { return new Runnable() { public void run() { table[0]++; } }; }",
        "private static final int[] table = new int[9]; static void set() { table[0] = 1; }",
      })
  void anArrayThatOthersMayWriteIsNot(String members) throws Exception {
    assertThat(isConstant(members + READS)).as(members).isFalse();
  }

  /** The class around may write it as well as those beside. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "static void set(T t) { t.table[0] = 1; }",
        "static class Beside { static void set(T t) { t.table[0] = 1; } }",
      })
  void nestedClassesShareTheirPrivateFields(String others) throws Exception {
    String nested = "static class T { private final int[] table = new int[9]; " + READS + " } ";
    String alone = "class Around { " + nested + "static class Beside { int n = 1; } }";
    String shared = "class Around { " + nested + others + " }";
    assertThat(isConstant("Around$T", alone, Sources.compile(Map.of("Around", alone)))).isTrue();
    assertThat(isConstant("Around$T", shared, Sources.compile(Map.of("Around", shared)))).isFalse();
  }

  @Test
  void whatAClassDoesThatCannotBeReadIsNotKnown() throws Exception {
    String source =
        "final class T { private final int[] table = new int[9]; " + READS + " class Inner {} }";
    Map<String, byte[]> files = new HashMap<>(Sources.compile(Map.of("T", source)));
    assertThat(isConstant("T", source, files)).isTrue();
    files.remove("T$Inner");
    assertThat(isConstant("T", source, files)).isFalse();
  }

  private static final String ROWS = "int at(int i) { return table[i][i]; } ";

  @Test
  void rowsThatTheConstructorMakesAreConstantToo() throws Exception {
    assertThat(isConstant("private final int[][] table = new int[9][9];" + ROWS)).isTrue();
    String filled =
        "private final int[][] table = new int[9][]; T() { for (int i = 0; i < 9; i++) {"
            + " table[i] = new int[i + 1]; table[i][i] = 1; } } ";
    assertThat(isConstant(filled + ROWS)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "private final int[][] table = new int[9][9]; void set() { table[1][2] = 3; }",
        "private final int[][] table = new int[9][9]; int[] row(int i) { return table[i]; }",
        "private final int[][] table = new int[9][9]; void set() { table[1] = new int[9]; }",
        "private final int[][] table = new int[9][]; T(int[] row) { table[0] = row; }",
        "private final int[][] table = new int[9][]; int[] kept;"
            + " T() { int[] row = new int[9]; table[0] = row; kept = row; }",
      })
  void rowsThatOthersMayWriteAreNot(String members) throws Exception {
    assertThat(isConstant(members + ROWS)).as(members).isFalse();
  }
}
