package org.reprise.anomaly.agent.instrument;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.MethodNode;
import org.reprise.anomaly.agent.instrument.program.Hierarchy;
import org.reprise.anomaly.agent.instrument.program.Scope;
import org.reprise.anomaly.agent.instrument.program.Sites;
import org.reprise.anomaly.agent.instrument.program.Variables;

/** Loops keep the shape by which the virtual machine's compiler knows one that counts. */
class LoopShapeTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "for (int j = 1; j < n - 1; j += 2) b[j] = b[j - 1] + a[j];",
        "for (int j = 0; j < b.length; j++) b[j] += a[j];",
        "try { for (int j = 0; j < n; j++) b[j] += a[j]; } catch (RuntimeException e) { n++; }",
        "int j = 0, k = 0; while (k < n) if (a[k] > 1) b[j++] = a[k++]; else k++;",
      })
  void theConditionIsInTheFirstBlockOfALoop(String body) throws Exception {
    MethodNode method =
        instrumented("class L { int n; void run(int[] a, int[] b) { " + body + "}}");
    List<AbstractInsnNode> instructions = new ArrayList<>();
    method.instructions.forEach(instructions::add);
    int loops = 0;
    for (AbstractInsnNode instruction : instructions) {
      if (instruction.getOpcode() == Opcodes.GOTO) {
        int header = instructions.indexOf(((JumpInsnNode) instruction).label);
        if (header < instructions.indexOf(instruction) && isLoop(instructions, header)) {
          assertThat(isSplit(method, instructions, header)).as(body).isFalse();
          loops++;
        }
      }
    }
    assertThat(loops).isPositive();
    assertThat(method.tryCatchBlocks).isNotEmpty();
  }

  /** Other jumps back lead from the handlers of exceptions to what they report. */
  private static boolean isLoop(List<AbstractInsnNode> instructions, int header) {
    return condition(instructions, header) >= 0;
  }

  /** The first jump behind a label, if it is a condition; else -1. */
  private static int condition(List<AbstractInsnNode> instructions, int header) {
    int at = header;
    while (!(instructions.get(at) instanceof JumpInsnNode)
        && instructions.get(at).getOpcode() != Opcodes.ATHROW) {
      at++;
    }
    boolean isCondition =
        instructions.get(at) instanceof JumpInsnNode jump && jump.getOpcode() != Opcodes.GOTO;
    return isCondition ? at : -1;
  }

  /** Whether a guarded stretch begins or ends between the first instruction and the condition. */
  private static boolean isSplit(
      MethodNode method, List<AbstractInsnNode> instructions, int header) {
    boolean isBehindFirst = false;
    for (int at = header; at < condition(instructions, header); at++) {
      AbstractInsnNode instruction = instructions.get(at);
      isBehindFirst |= instruction.getOpcode() >= 0;
      if (isBehindFirst
          && instruction instanceof LabelNode label
          && method.tryCatchBlocks.stream()
              .anyMatch(block -> block.start == label || block.end == label)) {
        return true;
      }
    }
    return false;
  }

  private static MethodNode instrumented(String source) throws Exception {
    Map<String, byte[]> classFiles = Sources.compile(Map.of("L", source));
    Instrumenter instrumenter =
        new FewerChecks(
            new Sites(),
            new Variables(),
            new Hierarchy(),
            Scope.everything(),
            (className, method, why) -> {});
    byte[] changed =
        instrumenter.instrument(
            LoopShapeTest.class.getClassLoader(), classFiles.values().iterator().next(), false);
    ClassNode node = new ClassNode();
    new ClassReader(changed).accept(node, 0);
    return node.methods.stream().filter(each -> each.name.equals("run")).findFirst().orElseThrow();
  }
}
