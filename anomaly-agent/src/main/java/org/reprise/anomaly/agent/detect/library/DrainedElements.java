package org.reprise.anomaly.agent.detect.library;

import java.util.AbstractCollection;
import java.util.Collection;
import java.util.Iterator;
import java.util.function.Consumer;

/** Passes what a queue is drained to on to the program's collection, and reports each element. */
public final class DrainedElements extends AbstractCollection<Object> {
  private final Collection<Object> into;
  private final Consumer<Object> taken;

  /** The queue sees that the elements fit, as it does without us: types are erased. */
  @SuppressWarnings("unchecked")
  public DrainedElements(Collection<?> into, Consumer<Object> taken) {
    this.into = (Collection<Object>) into;
    this.taken = taken;
  }

  @Override
  public boolean add(Object element) {
    boolean isNew = into.add(element);
    taken.accept(element);
    return isNew;
  }

  @Override
  public Iterator<Object> iterator() {
    return into.iterator();
  }

  @Override
  public int size() {
    return into.size();
  }
}
