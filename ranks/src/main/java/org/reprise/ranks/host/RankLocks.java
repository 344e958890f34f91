package org.reprise.ranks.host;

import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.Lock;
import org.reprise.ranks.fabric.CurrentRank;

/**
 * What program classes call around the locks they take, so that a replay can take them in the
 * recorded order: {@link Redirection} puts the calls there. It is the order among threads that call
 * MPI under a lock; on a thread of no rank nothing is done.
 */
public final class RankLocks {
  /** Before a monitor is entered. */
  public static void before() {
    if (CurrentRank.isKnown()) {
      CurrentRank.fabric().beforeLock();
    }
  }

  /** When it was entered. */
  public static void after() {
    if (CurrentRank.isKnown()) {
      CurrentRank.fabric().afterLock();
    }
  }

  static void lock(Lock lock) {
    before();
    lock.lock();
    after();
  }

  static void acquire(Semaphore semaphore) throws InterruptedException {
    before();
    semaphore.acquire();
    after();
  }

  private RankLocks() {}
}
