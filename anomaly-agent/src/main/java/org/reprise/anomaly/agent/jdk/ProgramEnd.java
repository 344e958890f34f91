package org.reprise.anomaly.agent.jdk;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.reprise.anomaly.agent.block.Fork;
import org.reprise.anomaly.agent.block.Origin;
import org.reprise.anomaly.agent.block.ThreadOrder;
import org.reprise.anomaly.agent.report.Ending;

/** How the program ends, as the JDK reports it, and which tasks and threads that cuts short. */
final class ProgramEnd {
  private final Ending ending;
  private final BiConsumer<String, String> obstacles;
  private final Thread firstThread = Thread.currentThread();

  /** Who ends the virtual machine, if somebody does. */
  private volatile @Nullable ThreadOrder exiting;

  ProgramEnd(Ending ending, BiConsumer<String, String> obstacles) {
    this.ending = ending;
    this.obstacles = obstacles;
  }

  /** Whether a thread has begun to end the virtual machine. */
  boolean hasBegun() {
    return exiting != null;
  }

  void exits(ThreadOrder threadOrder, @Nullable Object status) {
    exiting = threadOrder;
    ending.exits(status(status));
  }

  /** As {@link #exits}, at once. */
  void halts(ThreadOrder threadOrder, @Nullable Object status) {
    exiting = threadOrder;
    ending.halts(status(status));
  }

  private static int status(@Nullable Object argument) {
    return argument instanceof Integer status ? status : 0;
  }

  /** A thread did not catch an exception. */
  void uncaught(Thread thread, @Nullable Object exception) {
    if (exception instanceof Throwable uncaught) {
      if (thread == firstThread) {
        ending.failed(uncaught);
      } else {
        obstacles.accept("a thread that ended with " + uncaught.getClass().getName(), "");
      }
    }
  }

  /** The program has ended: the tasks and threads that this may have cut short, in words. */
  List<String> cutShort(ThreadOrder first) {
    ThreadOrder last = exiting;
    return inWords(
        last == null ? first.cutShort(false) : last.cutShort(true),
        "need not have ended when the program ends");
  }

  /**
   * A verdict is taken while the program runs: the tasks and threads that the thread has not waited
   * for, in words. What they are still going to do is not in the verdict. One that has ended is
   * named in one verdict only; the next is not about it.
   */
  static List<String> unawaited(ThreadOrder threadOrder) {
    List<Fork> left =
        threadOrder.cutShort(true).stream()
            .filter(fork -> !threadOrder.isIn(fork) && (fork.isNamedFirst() || fork.mayGoOn()))
            .toList();
    return inWords(left, "need not have ended when the verdict is taken");
  }

  private static List<String> inWords(List<Fork> forks, String what) {
    Map<Origin, Long> counts = new LinkedHashMap<>();
    forks.forEach(fork -> counts.merge(fork.origin(), 1L, Long::sum));
    return counts.entrySet().stream()
        .map(each -> each.getKey().count(each.getValue()) + " " + what)
        .toList();
  }
}
