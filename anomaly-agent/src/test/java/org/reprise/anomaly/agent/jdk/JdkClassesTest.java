package org.reprise.anomaly.agent.jdk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.tree.ClassNode;

/** A JDK that is not built as expected is named, rather than followed wrongly. */
class JdkClassesTest {
  private final List<String> warnings = new ArrayList<>();
  private final JdkClasses classes = new JdkClasses(warnings::add);

  @Test
  void thisJdkHasEverythingThatIsLookedFor() throws IOException {
    for (String name :
        List.of(
            TASK,
            COMPLETER,
            PIPELINE,
            EXECUTOR,
            ARRAYS,
            FUTURE,
            FUTURE + "$UniCompletion",
            FUTURE + "$MinimalStage",
            PHASER,
            EXCHANGER,
            SEMAPHORE)) {
      assertThat(classes.transform(null, name, null, null, classFile(name))).isNotNull();
    }
    assertThat(warnings).isEmpty();
  }

  @Test
  void aMethodThatHasAnotherNameIsMissed() throws IOException {
    classes.transform(null, TASK, null, null, renamed(TASK, "fork"));
    assertThat(warnings)
        .containsExactly(
            "java.util.concurrent.ForkJoinTask of this JDK cannot be followed: it has no fork");
  }

  @Test
  void aLoopThatDoesNotHandOutItsElementsInTheUsualWayIsMissed() throws IOException {
    classes.transform(null, PIPELINE, null, null, renamed(PIPELINE, "copyInto"));
    assertThat(warnings)
        .containsExactly(
            "java.util.stream.AbstractPipeline of this JDK cannot be followed: it has no copyInto");
  }

  @Test
  void aPointOfWhichOneMethodIsLeftIsNotMissed() throws IOException {
    classes.transform(null, TASK, null, null, renamed(TASK, "quietlyJoin"));
    assertThat(warnings).isEmpty();
  }

  private static final String TASK = "java/util/concurrent/ForkJoinTask";
  private static final String COMPLETER = "java/util/concurrent/CountedCompleter";
  private static final String PIPELINE = "java/util/stream/AbstractPipeline";
  private static final String EXECUTOR = "java/util/concurrent/ThreadPoolExecutor";
  private static final String ARRAYS = "java/util/Arrays";
  private static final String FUTURE = "java/util/concurrent/CompletableFuture";
  private static final String PHASER = "java/util/concurrent/Phaser";
  private static final String EXCHANGER = "java/util/concurrent/Exchanger";
  private static final String SEMAPHORE = "java/util/concurrent/Semaphore";

  private static byte[] classFile(String name) throws IOException {
    try (InputStream in = Object.class.getResourceAsStream("/" + name + ".class")) {
      if (in == null) {
        throw new IOException("there is no " + name);
      }
      return in.readAllBytes();
    }
  }

  private static byte[] renamed(String name, String method) throws IOException {
    ClassNode node = new ClassNode();
    new ClassReader(classFile(name)).accept(node, 0);
    node.methods.stream()
        .filter(declared -> declared.name.equals(method))
        .forEach(declared -> declared.name = method + "Otherwise");
    ClassWriter writer = new ClassWriter(0);
    node.accept(writer);
    return writer.toByteArray();
  }
}
