package org.reprise.anomaly.agent.instrument;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.reprise.anomaly.agent.instrument.program.Hierarchy;
import org.reprise.anomaly.agent.instrument.program.Scope;
import org.reprise.anomaly.agent.instrument.program.Sites;
import org.reprise.anomaly.agent.instrument.program.Variables;

/** Which loops ask before they begin whether all objects of an array are read. */
class InspectionsTest {
  private static final String ITEM = "static class Item { int a; int b; volatile int v; } ";

  private static final String FILLED =
      "private final Item[] items; T(int n) { items = new Item[n];"
          + " for (int i = 0; i < n; i++) items[i] = new Item(); } ";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "for (int j = 0; j < n; j++) s += items[j].a;",
        "for (int j = 0; j < n; j++) { Item item = items[j]; s += item.a + item.b; }",
        "for (Item item : items) s += item.a;",
        "for (int j = 0; j < n; j++) s += items[list[j]].a;",
        "for (int j = 0; j < n; j++) if (items[j].a == 3) break;",
        "for (int j = 0; j < n; j++) items[j].b = items[j].a;",
        "Item[] all = items; for (int j = 0; j < n; j++) s += all[j].a;",
        "for (int k = 0; k < n; k++) for (int j = 0; j < n; j++) s += items[j].a;",
      })
  void aLoopOverObjectsOfAConstantArrayAsks(String body) throws Exception {
    assertThat(questions(ITEM + FILLED + run(body))).as(body).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "s += items[n].a;",
        "for (int j = 0; j < n; j++) s += others[j].a;",
        "for (int j = 0; j < n; j++) items[j].a = 1;",
        "Item item = items[n]; for (int j = 0; j < n; j++) s += item.a;",
        "for (int j = 0; j < n; j++) synchronized (this) { s += items[j].a; }",
        "for (int j = 0; j < n; j++) s += items[j].v;",
        "for (int j = 0; j < n; j++) { s += items[j].a; System.out.println(); }",
      })
  void noOtherDoes(String body) throws Exception {
    String others = "Item[] others; ";
    assertThat(questions(ITEM + FILLED + others + run(body))).as(body).isEqualTo(0);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "final Item[] items = new Item[9]; ",
        "private Item[] items = new Item[9]; ",
        "private final Item[] items; T(Item[] given) { items = given; } ",
        "private final Item[] items = new Item[9]; void set(Item i) { items[0] = i; } ",
        "private final Item[] items = new Item[9]; class In { void set() { items[0] = null; } } ",
      })
  void noLoopAsksIfOthersMayPutObjectsIntoTheArray(String array) throws Exception {
    String loop = run("for (int j = 0; j < n; j++) s += items[j].a;");
    assertThat(questions(ITEM + array + loop)).as(array).isEqualTo(0);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "private final Item[] items = new Item[9]; int s;"
            + " T() { for (int j = 0; j < 9; j++) s += items[j].a; } ",
        "private static final Item[] items = new Item[9]; static int s;"
            + " static { for (int j = 0; j < 9; j++) s += items[j].a; } ",
      })
  void nobodyAsksWhileTheArrayIsFilled(String members) throws Exception {
    assertThat(questions(ITEM + members)).as(members).isEqualTo(0);
  }

  private static String run(String body) {
    return "int run(int n, int[] list) { int s = 0; " + body + " return s; }";
  }

  /** How often the class asks. */
  private static int questions(String members) throws Exception {
    Map<String, byte[]> files = Sources.compile(Map.of("T", "class T { " + members + " }"));
    Instrumenter instrumenter =
        new FewerChecks(
            new Sites(),
            new Variables(),
            new Hierarchy(),
            Scope.everything(),
            (className, method, why) -> {});
    byte[] changed =
        instrumenter.instrument(
            new InstrumentedClasses(files, instrumenter),
            Objects.requireNonNull(files.get("T")),
            false);
    ClassNode node = new ClassNode();
    new ClassReader(changed).accept(node, 0);
    int count = 0;
    for (MethodNode method : node.methods) {
      for (AbstractInsnNode instruction : method.instructions) {
        count += instruction instanceof MethodInsnNode call && call.name.equals("areRead") ? 1 : 0;
      }
    }
    return count;
  }
}
