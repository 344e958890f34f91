package org.reprise.anomaly.agent;

import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import org.jspecify.annotations.Nullable;
import org.reprise.anomaly.agent.instrument.CannotInstrument;
import org.reprise.anomaly.agent.instrument.Instrumenter;
import org.reprise.anomaly.agent.instrument.Scope;

/**
 * Instruments the program's classes as they are loaded. A class that cannot be instrumented stays
 * as it is, with a warning that names it: the program must run as it would without the agent.
 */
final class ProgramClasses implements ClassFileTransformer {
  private final Instrumenter instrumenter;
  private final Scope scope;

  ProgramClasses(Instrumenter instrumenter, Scope scope) {
    this.instrumenter = instrumenter;
    this.scope = scope;
  }

  @Override
  public byte @Nullable [] transform(
      @Nullable ClassLoader loader,
      @Nullable String name,
      @Nullable Class<?> redefined,
      @Nullable ProtectionDomain domain,
      byte[] classFile) {
    if (name == null || !scope.contains(name.replace('/', '.'))) {
      return null;
    }
    try {
      return instrumenter.instrument(loader, classFile);
    } catch (CannotInstrument | RuntimeException | LinkageError e) {
      System.err.println("reprise: class " + name.replace('/', '.') + " is not checked: " + e);
      return null;
    }
  }
}
