package org.reprise.anomaly.agent.instrument;

import java.util.HashMap;
import java.util.Map;

/** Loads classes from memory, each as an instrumenter leaves it. */
final class InstrumentedClasses extends ClassLoader {
  private final Map<String, byte[]> classFiles;
  private final Instrumenter instrumenter;
  private final Map<String, Class<?>> loaded = new HashMap<>();

  InstrumentedClasses(Map<String, byte[]> classFiles, Instrumenter instrumenter) {
    super(InstrumentedClasses.class.getClassLoader());
    this.classFiles = classFiles;
    this.instrumenter = instrumenter;
  }

  @Override
  public java.io.@org.jspecify.annotations.Nullable InputStream getResourceAsStream(String name) {
    byte[] file = classFiles.get(name.replace(".class", "").replace('/', '.'));
    return file == null ? super.getResourceAsStream(name) : new java.io.ByteArrayInputStream(file);
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    byte[] file = classFiles.get(name);
    if (file == null) {
      throw new ClassNotFoundException(name);
    }
    try {
      byte[] changed = instrumenter.instrument(this, file, true);
      byte[] defined = changed == null ? file : changed;
      return loaded.computeIfAbsent(name, any -> defineClass(name, defined, 0, defined.length));
    } catch (CannotInstrument e) {
      throw new ClassNotFoundException(name, e);
    }
  }
}
