package org.reprise.anomaly.agent.jdk;

import java.util.Spliterator;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.reprise.anomaly.agent.block.ThreadOrder;

/**
 * The elements of one leaf of a loop whose body has declared ahead what all iterations do: nothing
 * is left to be said of them, and the body does them all when it is called for the first.
 */
final class DeclaredElements implements Spliterator.OfInt {
  private final Spliterator.OfInt elements;
  private final int body;
  private final ThreadOrder threadOrder;

  /**
   * @param threadOrder of the thread that goes through the elements
   */
  DeclaredElements(Spliterator.OfInt elements, int body, ThreadOrder threadOrder) {
    this.elements = elements;
    this.body = body;
    this.threadOrder = threadOrder;
  }

  @Override
  public void forEachRemaining(IntConsumer action) {
    int count = (int) elements.estimateSize();
    if (count > 0) {
      threadOrder.willCall(body, count);
      // A class that is redefined now may report what it does, which has been declared.
      boolean wasOn = threadOrder.on;
      threadOrder.on = false;
      try {
        elements.tryAdvance(action);
        if (threadOrder.isStillToCall()) {
          elements.forEachRemaining(action);
        }
      } finally {
        threadOrder.isStillToCall();
        threadOrder.on = wasOn;
      }
    }
  }

  @Override
  public boolean tryAdvance(IntConsumer action) {
    return elements.tryAdvance(action);
  }

  @Override
  public Spliterator.@Nullable OfInt trySplit() {
    return elements.trySplit();
  }

  @Override
  public long estimateSize() {
    return elements.estimateSize();
  }

  @Override
  public int characteristics() {
    return elements.characteristics();
  }
}
