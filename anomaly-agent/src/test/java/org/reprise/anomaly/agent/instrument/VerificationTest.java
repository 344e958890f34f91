package org.reprise.anomaly.agent.instrument;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URL;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.analysis.Analyzer;
import org.reprise.anomaly.agent.instrument.program.Hierarchy;
import org.reprise.anomaly.agent.instrument.program.Scope;
import org.reprise.anomaly.agent.instrument.program.Sites;
import org.reprise.anomaly.agent.instrument.program.Variables;

/** The virtual machine accepts whatever comes out of the instrumenter. */
class VerificationTest {
  private static final boolean ALL = "all".equals(System.getProperty("reprise.programs"));

  @Test
  void classesOfOtherPeopleAreStillVerified() throws Exception {
    Map<String, byte[]> classFiles = new HashMap<>();
    for (Class<?> sample :
        List.of(ClassReader.class, ClassNode.class, Analyzer.class, Test.class, Assertions.class)) {
      readJar(sample, classFiles);
    }
    List<String> leftAlone = new ArrayList<>();
    Instrumenter instrumenter =
        new FewerChecks(
            new Sites(),
            new Variables(),
            new Hierarchy(),
            Scope.everything(),
            (className, method, why) -> leftAlone.add(className + "." + method));
    Alone loader = new Alone(classFiles, instrumenter);
    List<String> refused = new ArrayList<>();
    int verified = 0;
    for (String name : drawn(classFiles.keySet())) {
      try {
        Class.forName(name, true, loader);
        verified++;
      } catch (VerifyError | ClassFormatError e) {
        refused.add(name + ": " + e);
      } catch (ClassNotFoundException | LinkageError e) {
        // Extends or needs something that is not on the class path: it would not load without us.
      }
    }
    assertThat(loader.failed).isEmpty();
    assertThat(refused).isEmpty();
    assertThat(leftAlone).isEmpty();
    assertThat(verified).isGreaterThan(ALL ? 800 : 200);
  }

  /** A third of them, and what these need, by a seed. */
  private static List<String> drawn(Set<String> names) {
    List<String> drawn = new ArrayList<>(new TreeSet<>(names));
    if (ALL) {
      return drawn;
    }
    long seed = Long.getLong("reprise.seed", System.nanoTime() % 100_000);
    System.out.println("VerificationTest: drawn with -Dreprise.seed=" + seed);
    Collections.shuffle(drawn, new Random(seed));
    return drawn.subList(0, drawn.size() / 3);
  }

  private static void readJar(Class<?> sample, Map<String, byte[]> classFiles) throws IOException {
    URL url = sample.getResource(sample.getSimpleName() + ".class");
    if (url == null || !(url.openConnection() instanceof JarURLConnection connection)) {
      throw new IOException("not from a jar: " + sample);
    }
    JarFile jar = connection.getJarFile();
    jar.stream()
        .filter(entry -> entry.getName().endsWith(".class"))
        .filter(entry -> !entry.getName().startsWith("META-INF"))
        .filter(entry -> !entry.getName().endsWith("module-info.class"))
        .forEach(entry -> classFiles.put(name(entry), bytes(jar, entry)));
  }

  private static String name(JarEntry entry) {
    return entry.getName().replace(".class", "").replace('/', '.');
  }

  private static byte[] bytes(JarFile jar, JarEntry entry) {
    try (InputStream in = jar.getInputStream(entry)) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Loads the given classes itself, before its parent can. */
  private static final class Alone extends ClassLoader {
    private final Map<String, byte[]> classFiles;
    private final Instrumenter instrumenter;
    final List<String> failed = new ArrayList<>();

    Alone(Map<String, byte[]> classFiles, Instrumenter instrumenter) {
      super(VerificationTest.class.getClassLoader());
      this.classFiles = classFiles;
      this.instrumenter = instrumenter;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      synchronized (getClassLoadingLock(name)) {
        Class<?> known = findLoadedClass(name);
        if (known != null) {
          return known;
        }
        byte[] file = classFiles.get(name);
        if (file == null) {
          return super.loadClass(name, resolve);
        }
        try {
          byte[] changed = instrumenter.instrument(this, file, true);
          byte[] defined = changed == null ? file : changed;
          return defineClass(name, defined, 0, defined.length);
        } catch (CannotInstrument | RuntimeException e) {
          failed.add(name + ": " + e);
          throw new ClassNotFoundException(name, e);
        }
      }
    }
  }
}
