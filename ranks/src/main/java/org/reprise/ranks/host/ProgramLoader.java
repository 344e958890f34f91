package org.reprise.ranks.host;

import java.io.IOException;
import java.net.URL;
import java.util.Enumeration;
import org.jspecify.annotations.Nullable;

/**
 * Loads the classes of a program for one rank, so that their static fields are the rank's own; or
 * for all ranks where no rank could tell the difference. The class files are read and rewritten
 * once for all loaders.
 */
final class ProgramLoader extends ClassLoader {
  static {
    registerAsParallelCapable();
  }

  private final HostedProgram program;

  ProgramLoader(HostedProgram program) {
    super(Doorway.INSTANCE);
    this.program = program;
  }

  HostedProgram program() {
    return program;
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    byte[] bytes = program.classBytes(name);
    if (bytes == null) {
      NotProvidedError.ofClass(name)
          .ifPresent(
              error -> {
                throw error;
              });
      throw new ClassNotFoundException(name);
    }
    return defineClass(name, bytes, 0, bytes.length);
  }

  @Override
  protected @Nullable URL findResource(String name) {
    return program.resources().findResource(name);
  }

  @Override
  protected Enumeration<URL> findResources(String name) throws IOException {
    return program.resources().findResources(name);
  }

  /**
   * What programs see of the JVM they share: the JDK, package {@code mpi} and its buffers, and the
   * methods that rewritten classes call. The libraries Reprise is made of stay out of sight; a
   * program may bring its own versions.
   */
  private static final class Doorway extends ClassLoader {
    static final Doorway INSTANCE = new Doorway();

    static {
      registerAsParallelCapable();
    }

    private static final ClassLoader OWN = ProgramLoader.class.getClassLoader();

    Doorway() {
      super("reprise doorway", ClassLoader.getPlatformClassLoader());
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      if (name.startsWith("mpi.")
          || name.startsWith("mpjbuf.")
          || name.startsWith("org.reprise.ranks.host.Rank")) {
        return OWN.loadClass(name);
      }
      throw new ClassNotFoundException(name);
    }
  }
}
