package org.reprise.anomaly.agent.jdk;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;
import org.reprise.anomaly.agent.block.Fork;
import org.reprise.anomaly.agent.block.ThreadOrder;
import org.reprise.anomaly.agent.detect.history.IdentityTable;

/**
 * Commands that were handed to executors and wait for a worker, each with the fork that it is. One
 * command may be handed over several times; its forks begin in that order.
 */
final class WaitingCommands {
  private final IdentityTable<Object, Deque<Submitted>> waiting = new IdentityTable<>();

  /** A command that waits, and who handed it over. */
  private record Submitted(ThreadOrder by, Fork fork) {}

  void add(Object command, ThreadOrder by, Fork fork) {
    Deque<Submitted> queue = waiting.get(command, any -> new ArrayDeque<>());
    synchronized (queue) {
      queue.add(new Submitted(by, fork));
    }
  }

  /** A worker begins the command: which fork that is, if somebody was seen to hand it over. */
  @Nullable Fork begin(Object command) {
    Deque<Submitted> queue = waiting.get(command);
    if (queue == null) {
      return null;
    }
    synchronized (queue) {
      Submitted next = queue.poll();
      return next == null ? null : next.fork();
    }
  }

  /** The pool does not take what the thread handed over last. */
  void reject(@Nullable Object command, ThreadOrder by) {
    Deque<Submitted> queue = command == null ? null : waiting.get(command);
    if (queue == null) {
      return;
    }
    synchronized (queue) {
      Iterator<Submitted> last = queue.descendingIterator();
      while (last.hasNext()) {
        Submitted submitted = last.next();
        if (submitted.by() == by) { // others may have handed over the same command
          last.remove();
          submitted.fork().belongsElsewhere();
          return;
        }
      }
    }
  }
}
