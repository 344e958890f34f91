package org.reprise.ranks;

import static org.reprise.ranks.Programs.value;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.reprise.ranks.fabric.Received;

/** Programs whose ranks have several threads: what these saw, and how they are started. */
final class RankThreads {
  /** What each thread saw, by rank and thread. */
  static final class Log {
    private final Map<String, List<String>> lines = new ConcurrentHashMap<>();

    void add(int rank, int thread, String line) {
      lines.computeIfAbsent(rank + "." + thread, _ -> new ArrayList<>()).add(line);
    }

    Map<String, List<String>> seen() {
      return new TreeMap<>(lines);
    }
  }

  /** Runs {@code body} in so many threads, and fails if one of them does. */
  static void inThreads(int count, java.util.function.IntConsumer body) throws Exception {
    List<Throwable> failures = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int number = i;
      Thread.Builder kind = i % 2 == 0 ? Thread.ofPlatform().daemon() : Thread.ofVirtual();
      threads.add(
          kind.unstarted(
              () -> {
                try {
                  body.accept(number);
                } catch (Throwable e) {
                  synchronized (failures) {
                    failures.add(e);
                  }
                }
              }));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    if (!failures.isEmpty()) {
      throw new AssertionError("a thread failed", failures.getFirst());
    }
  }

  static String told(Received got) {
    return got.source() + ":" + got.tag() + ":" + value(got);
  }

  static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private RankThreads() {}
}
