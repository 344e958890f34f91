package org.reprise.anomaly.agent;

import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import org.jspecify.annotations.Nullable;
import org.reprise.anomaly.agent.instrument.CannotInstrument;
import org.reprise.anomaly.agent.instrument.Instrumenter;
import org.reprise.anomaly.agent.instrument.OutsideClasses;
import org.reprise.anomaly.agent.instrument.program.Scope;
import org.reprise.anomaly.agent.report.Ending;
import org.reprise.anomaly.agent.report.Findings;
import org.reprise.anomaly.hooks.Shadows;
import org.reprise.anomaly.report.Obstacle;

/**
 * Instruments the program's classes as they are loaded. A class that cannot be instrumented stays
 * as it is, with a warning that names it: the program must run as it would without the agent.
 */
final class ProgramClasses implements ClassFileTransformer {
  private final Instrumenter instrumenter;
  private final OutsideClasses outside;
  private final Scope scope;
  private final Intentions intentions;
  private final Findings findings;
  private final Ending ending;

  ProgramClasses(
      Instrumenter instrumenter,
      OutsideClasses outside,
      Scope scope,
      Intentions intentions,
      Findings findings,
      Ending ending) {
    this.instrumenter = instrumenter;
    this.outside = outside;
    this.scope = scope;
    this.intentions = intentions;
    this.findings = findings;
    this.ending = ending;
  }

  @Override
  public byte @Nullable [] transform(
      @Nullable ClassLoader loader,
      @Nullable String name,
      @Nullable Class<?> redefined,
      @Nullable ProtectionDomain domain,
      byte[] classFile) {
    if (name == null) {
      return null;
    }
    String className = name.replace('/', '.');
    if (!scope.contains(className)) {
      return passOver(loader, className, classFile);
    }
    ending.begun();
    try {
      intentions.read(classFile);
      boolean hasShadows = redefined == null || Shadows.ownOffset(redefined) != 0;
      return instrumenter.instrument(loader, classFile, hasShadows);
    } catch (CannotInstrument | RuntimeException | LinkageError e) {
      String message = "class " + className + " is not checked: " + e;
      Agent.warn(message);
      findings.add(new Obstacle(message));
      return null;
    }
  }

  /**
   * A class that is not instrumented; its methods say only that they run. Classes whose names are
   * like the JDK's may come with the program, too.
   */
  private byte @Nullable [] passOver(
      @Nullable ClassLoader loader, String className, byte[] classFile) {
    if (loader == null
        || loader == ClassLoader.getPlatformClassLoader()
        || Scope.isOfReprise(className)) {
      return null;
    }
    if (!Scope.isLibrary(className)) {
      ending.passedOver(className);
    }
    if (Scope.isRunner(className)) {
      return null;
    }
    try {
      return outside.mark(loader, classFile);
    } catch (RuntimeException | LinkageError e) {
      findings.add(new Obstacle("class " + className + " is not followed: " + e));
      return null;
    }
  }
}
