package org.reprise.anomaly.agent.instrument;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.reprise.anomaly.agent.instrument.loop.Increments;

/** Which accesses are taken for additions that commute under a lock. */
class IncrementsTest {
  static final class Counter {
    private static long total;
    private int count;
    private int other;
    private double sum;

    void increment() {
      count++;
    }

    void add(int value) {
      total += value;
      count -= value;
    }

    int next() {
      count++;
      return count;
    }

    int used() {
      return count++;
    }

    void either(boolean isOther) {
      count = (isOther ? other : count) + 1;
    }

    void twice() {
      count = count * 2;
    }

    void addDouble(double value) {
      sum += value;
    }

    double all() {
      return total + sum;
    }

    void addTo(Counter[] all) {
      all[0].count = all[1].count + 1;
    }
  }

  @Test
  void onlyAdditionsOfWholeNumbersOfWhichNothingElseIsSeen() throws IOException {
    Map<String, Boolean> expected =
        Map.of(
            "increment", true,
            "add", true,
            "next", false,
            "used", false,
            "either", false,
            "twice", false,
            "addDouble", false,
            "addTo", false);
    ClassNode node = new ClassNode();
    new ClassReader(Counter.class.getName()).accept(node, 0);
    for (MethodNode method : node.methods) {
      Boolean isIncrement = expected.get(method.name);
      if (isIncrement != null) {
        Increments increments = new Increments(method);
        List<Boolean> found =
            StreamSupport.stream(method.instructions.spliterator(), false)
                .filter(FieldInsnNode.class::isInstance)
                .map(increments::contains)
                .toList();
        assertThat(found).as(method.name).isNotEmpty().containsOnly(isIncrement);
      }
    }
  }
}
