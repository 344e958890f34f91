package org.reprise.anomaly.agent.instrument.parts;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.tree.MethodNode;

/**
 * Which methods each class got besides its own when it was loaded: whoever redefines it must give
 * it the same ones again.
 */
public final class MethodVariants {
  private final Map<ClassLoader, Map<String, Set<String>>> ofLoaders = new WeakHashMap<>();

  /** Names with descriptors; null if the class is rewritten for the first time. */
  public synchronized @Nullable Set<String> of(@Nullable ClassLoader loader, String className) {
    return ofLoader(loader).get(className);
  }

  public synchronized void keep(
      @Nullable ClassLoader loader, String className, List<MethodNode> copies) {
    Set<String> names = new HashSet<>();
    copies.forEach(copy -> names.add(ArrayParts.key(copy)));
    ofLoader(loader).putIfAbsent(className, Set.copyOf(names));
  }

  private Map<String, Set<String>> ofLoader(@Nullable ClassLoader loader) {
    ClassLoader from = loader == null ? ClassLoader.getSystemClassLoader() : loader;
    return ofLoaders.computeIfAbsent(from, any -> new HashMap<>());
  }
}
