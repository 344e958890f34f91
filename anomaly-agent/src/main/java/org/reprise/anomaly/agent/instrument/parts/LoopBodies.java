package org.reprise.anomaly.agent.instrument.parts;

import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.function.IntSupplier;
import java.util.function.Predicate;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.reprise.anomaly.agent.instrument.SummarisedLoopCode;

/**
 * The methods of a class that are bodies of loops, {@code range(...).forEach(i -> ...)}, and can
 * report all iterations at once ({@link SummarisedLoopCode}): the stream gets a function that calls
 * one of them and nothing else, with the same arguments each time but for the last, which is the
 * element. Whether it has any stages besides is seen when it runs.
 */
public final class LoopBodies {
  private static final String FACTORY = "java/lang/invoke/LambdaMetafactory";

  private final Map<String, Integer> numbers = new HashMap<>();
  private final Map<AbstractInsnNode, Integer> calls = new IdentityHashMap<>();

  private LoopBodies() {}

  /**
   * @param tells whether a method can report all iterations at once
   * @param next gives the number of another method, from 1 on
   */
  public static LoopBodies of(ClassNode owner, Predicate<MethodNode> tells, IntSupplier next) {
    LoopBodies found = new LoopBodies();
    for (MethodNode method : owner.methods) {
      for (AbstractInsnNode instruction : method.instructions) {
        if (instruction instanceof InvokeDynamicInsnNode lambda) {
          found.look(owner, lambda, tells, next);
        }
      }
    }
    return found;
  }

  private void look(
      ClassNode owner,
      InvokeDynamicInsnNode lambda,
      Predicate<MethodNode> tells,
      IntSupplier next) {
    // Behind a frame it may be another function that comes from elsewhere.
    AbstractInsnNode user = lambda.getNext();
    while (user != null && user.getOpcode() < 0 && !(user instanceof FrameNode)) {
      user = user.getNext();
    }
    if (user instanceof MethodInsnNode call
        && call.owner.equals("java/util/stream/IntStream")
        && call.name.equals("forEach")
        && lambda.bsm.getOwner().equals(FACTORY)
        && lambda.bsm.getName().equals("metafactory")
        // An interface that extends it may do more than to call the body.
        && lambda.desc.endsWith(")Ljava/util/function/IntConsumer;")
        && lambda.bsmArgs[1] instanceof Handle body
        && body.getOwner().equals(owner.name)
        && body.getDesc().endsWith("I)V")) {
      owner.methods.stream()
          .filter(method -> ArrayParts.key(method).equals(body.getName() + body.getDesc()))
          .filter(LoopBodies::isBound)
          .forEach(
              method ->
                  calls.put(
                      call,
                      numbers.computeIfAbsent(
                          ArrayParts.key(method),
                          any -> tells.test(method) ? next.getAsInt() : 0)));
    }
  }

  /** Whether it is this very method that is called, and no other in its place. */
  private static boolean isBound(MethodNode method) {
    return (method.access & (Opcodes.ACC_STATIC | Opcodes.ACC_PRIVATE)) != 0;
  }

  /** The number of a method; 0 if it is not such a body of a loop. */
  public int number(MethodNode method) {
    return numbers.getOrDefault(ArrayParts.key(method), 0);
  }

  /** The number of the method that the stream's function calls; 0 if it is not known. */
  public int number(MethodInsnNode call) {
    return calls.getOrDefault(call, 0);
  }
}
