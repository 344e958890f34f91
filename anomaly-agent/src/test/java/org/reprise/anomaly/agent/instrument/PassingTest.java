package org.reprise.anomaly.agent.instrument;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodNode;
import org.reprise.anomaly.agent.instrument.code.PassedPlaces;
import org.reprise.anomaly.agent.instrument.flow.FlowGraph;
import org.reprise.anomaly.agent.instrument.flow.Loop;
import org.reprise.anomaly.agent.instrument.flow.Values;

/** Of a loop's ways to the places where it stores an int. */
class PassingTest {
  private static final int LOCAL_J = 1;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "i % 2 == 0 | b[j++] = 1; | b[j++] = 2; | true | true | true",
        "i % 2 == 0 | b[j++] = 1; | j++; | false | true | false",
        "i % 2 == 0 | b[j++] = 1; | i++; | false | true | true",
        "i % 2 == 0 | b[j] = 1; j++; | break; | true | true | true",
        "i % 2 == 0 | if (i == 4) b[j++] = 1; | b[j++] = 1; | false | true | true",
        "i % 2 == 0 | if (i == 4) b[j] = 1; j++; | b[j++] = 1; | false | true | false",
        "1 / i == 0 | b[j++] = 1; | b[j++] = 2 / i; | true | true | true",
        "i % 2 == 0 | b[j++] = 1; | i++; } if (i / j == 2) { j--; | false | false | false",
        "i % 2 == 0 | b[j++] = 1; | i++; } if (i / j == 2) { i--; | false | false | true",
      })
  void aPlaceIsPassedInEveryIterationPlainlyAtExitsAndBeforeTheVariableMoves(
      String condition,
      String one,
      String other,
      boolean inEvery,
      boolean decided,
      boolean beforeMoves)
      throws Exception {
    String source =
        "class L { static void run(int[] b) { int j = 0;"
            + " for (int i = 1; i < 9; i++) { if (%s) { %s } else { %s } } } }"
                .formatted(condition, one, other);
    MethodNode method = method(Sources.compile(Map.of("L", source)).values().iterator().next());
    FlowGraph graph = new FlowGraph(method);
    Values values = new Values(method, graph);
    Loop loop = Loop.of(graph).get(0);
    List<Integer> places = new ArrayList<>();
    for (int node : graph.order()) {
      if (graph.instruction(node).getOpcode() == Opcodes.IASTORE) {
        places.add(node);
      }
    }

    PassedPlaces passing = new PassedPlaces(graph, loop, places);

    assertThat(passing.isInEveryIteration()).as(source).isEqualTo(inEvery);
    assertThat(passing.isDecidedAtExits()).as(source).isEqualTo(decided);
    assertThat(passing.isBeforeMoves(values.frame(loop.header()).getLocal(LOCAL_J), values))
        .as(source)
        .isEqualTo(beforeMoves);
    for (int place : places) {
      assertThat(passing.isPast(place)).isTrue();
    }
    assertThat(passing.isPast(loop.header())).isFalse();
  }

  private static MethodNode method(byte[] classFile) {
    ClassNode node = new ClassNode();
    new ClassReader(classFile).accept(node, 0);
    return node.methods.stream().filter(each -> each.name.equals("run")).findFirst().orElseThrow();
  }
}
