package org.reprise.anomaly.agent.detect;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reprise.anomaly.agent.block.Fork;
import org.reprise.anomaly.agent.block.OpenForks;
import org.reprise.anomaly.agent.block.Tags;
import org.reprise.anomaly.agent.detect.history.IdentityTable;

/** The checkers of all threads: what each remembers must not be lost when it ends. */
final class Checkers {
  private final AnomalyDetector detector;
  private final Tags tags = new Tags();
  private final OpenForks open = new OpenForks();
  private final Set<Checker> all = new HashSet<>();

  /** The same, once somebody asked after the last change: each join of a loop does. */
  private volatile @Nullable List<Checker> listed;

  /** When there are as many, those of threads that have died are looked for. */
  private int sizeMax = 64;

  private final IdentityTable<Thread, Checker> ofThreads = new IdentityTable<>();
  private final Thread firstThread = Thread.currentThread();
  private final Checker first;
  private Function<Thread, @Nullable Fork> forkOfThread = thread -> null;

  Checkers(AnomalyDetector detector) {
    this.detector = detector;
    this.first = new Checker(detector, tags, open);
    all.add(first);
  }

  void findForksWith(Function<Thread, @Nullable Fork> finder) {
    forkOfThread = finder;
  }

  /** That of the program's first thread. */
  Checker first() {
    return first;
  }

  /** That of the current thread. */
  Checker current() {
    if (Thread.currentThread() == firstThread) {
      return first;
    }
    // Workers of the common pool lose their thread locals after each task.
    return ofThreads.get(
        Thread.currentThread(),
        thread -> {
          Fork fork = forkOfThread.apply(thread);
          return add(fork == null ? Fork.NOWHERE : fork, thread);
        });
  }

  /** A new one, of a thread that executes what was forked. */
  Checker add(Fork fork, Thread thread) {
    Checker checker = new Checker(detector, tags, open, fork, thread);
    synchronized (all) {
      if (all.size() >= sizeMax) {
        all.removeIf(Checker::isOver);
        sizeMax = Math.max(sizeMax, 2 * all.size());
      }
      all.add(checker);
      listed = null;
    }
    return checker;
  }

  /** A thread has died, and there is nothing left to learn from it. */
  void forget(Checker checker) {
    synchronized (all) {
      all.remove(checker);
      listed = null;
    }
  }

  List<Checker> all() {
    List<Checker> known = listed;
    if (known == null) {
      synchronized (all) {
        known = List.copyOf(all);
        listed = known;
      }
    }
    return known;
  }
}
