package org.reprise.anomaly.agent.detect;

import java.util.Arrays;
import java.util.Optional;
import org.reprise.anomaly.agent.instrument.program.Scope;
import org.reprise.anomaly.agent.report.Findings;

/** Code of the program that is not instrumented, where it runs beside other code. */
public final class Outsiders {
  private final Scope scope;
  private final Findings findings;

  /** By number. Who has a number has seen its class being loaded, and so its name. */
  private volatile String[] classes = new String[64];

  private int count;

  public Outsiders(Scope scope, Findings findings) {
    this.scope = scope;
    this.findings = findings;
  }

  /** The number of a class, by which its methods say that they run. */
  public synchronized int number(String className) {
    int number = count++;
    if (number == classes.length) {
      classes = Arrays.copyOf(classes, 2 * number);
    }
    classes[number] = className;
    return number;
  }

  /** A method of the class with this number is entered while other code may run beside it. */
  void ran(int number) {
    String className = classes[number];
    Optional<String> trusted = scope.trustedAs(className);
    if (trusted.isPresent()) {
      findings.addTrusted(trusted.get());
    } else {
      findings.addOutside(packageOf(className));
    }
  }

  /** What a class is known by where not every class of a library is to be named. */
  static String packageOf(String className) {
    String name = className.replace('/', '.');
    int dot = name.lastIndexOf('.');
    return dot < 0 ? name : name.substring(0, dot);
  }
}
