package org.reprise.anomaly.agent.detect.library;

import java.util.List;
import org.reprise.anomaly.agent.block.ThreadOrder;
import org.reprise.anomaly.agent.detect.history.IdentityTable;

/**
 * Objects of the JDK of which nobody knows what their methods do: one that several blocks use
 * prevents validation, unless all of them only ask.
 */
public final class UnknownObjects {
  private static final List<String> QUESTIONS =
      List.of("get", "is", "has", "to", "equals", "compareTo", "size", "length", "contains");

  private final IdentityTable<Object, Uses> objects = new IdentityTable<>();

  /** Who called methods of an object. */
  private static final class Uses {
    final RecentBlocks changes = new RecentBlocks();
    final RecentBlocks questions = new RecentBlocks();
  }

  /** A method is called; returns whether the object is used beside this block, and changed. */
  public boolean use(Object object, String method, ThreadOrder threadOrder) {
    boolean asks = QUESTIONS.stream().anyMatch(method::startsWith);
    Uses uses = objects.get(object, any -> new Uses());
    synchronized (uses) {
      boolean isBeside =
          uses.changes.beside(threadOrder).length > 0
              || (!asks && uses.questions.beside(threadOrder).length > 0);
      (asks ? uses.questions : uses.changes).add(threadOrder);
      return isBeside;
    }
  }
}
