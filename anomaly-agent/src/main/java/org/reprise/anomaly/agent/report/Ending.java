package org.reprise.anomaly.agent.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.reprise.anomaly.agent.instrument.program.Scope;
import org.reprise.anomaly.report.Obstacle;

/**
 * How the program ended, as far as it bears on the verdict: what a program had not done when it
 * failed is not checked, and one that never ran was not checked at all.
 */
public final class Ending {
  private boolean hasBegun;
  private @Nullable String passedOver;
  private @Nullable Obstacle failure;
  private Runnable report = () -> {};

  /** What is to be done when nobody will be asked any more. */
  public synchronized void reportWith(Runnable newReport) {
    report = newReport;
  }

  /** A class of the program was loaded. */
  public synchronized void begun() {
    hasBegun = true;
  }

  /**
   * A class was loaded that is none of those to be checked. The first is mostly the main class, or
   * the first test, if those that run tests are left out.
   */
  public synchronized void passedOver(String className) {
    if (passedOver == null || (Scope.isRunner(passedOver) && !Scope.isRunner(className))) {
      passedOver = className;
    }
  }

  /** Whether a class of the program was ever loaded. */
  public synchronized boolean hasBegun() {
    return hasBegun;
  }

  /** Somebody ends the virtual machine with this status. */
  public synchronized void exits(int status) {
    if (failure == null && status != 0) {
      failure = Obstacle.endedWith("status " + status);
    }
  }

  /** As {@link #exits}, at once: nothing of the program or of Reprise runs after this. */
  public void halts(int status) {
    exits(status);
    Runnable last;
    synchronized (this) {
      last = report;
    }
    last.run();
  }

  /** The program's first thread did not catch this. */
  public synchronized void failed(Throwable uncaught) {
    if (failure == null) {
      failure = Obstacle.endedWith("an uncaught " + uncaught.getClass().getName());
    }
  }

  /** What prevents validation. */
  public synchronized List<Obstacle> obstacles(Scope scope) {
    List<Obstacle> obstacles = new ArrayList<>();
    if (failure != null) {
      obstacles.add(failure);
    }
    unchecked(scope).ifPresent(obstacles::add);
    return obstacles;
  }

  /** That nothing was checked so far, and why; empty if something was. */
  public synchronized Optional<Obstacle> unchecked(Scope scope) {
    if (hasBegun) {
      return Optional.empty();
    }
    String why =
        passedOver == null
            ? "no class of the program was loaded"
            : "nothing was checked: " + scope.complaint(passedOver);
    return Optional.of(new Obstacle(why));
  }
}
