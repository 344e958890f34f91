package org.reprise.exploration;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Subsets of one size. */
final class Subsets {
  /** Shows each subset of so many elements. */
  static <T> void visit(List<T> all, int size, Consumer<List<T>> visitor) {
    visit(all, 0, size, new ArrayList<>(), visitor);
  }

  private static <T> void visit(
      List<T> all, int from, int size, List<T> chosen, Consumer<List<T>> visitor) {
    if (size == 0) {
      visitor.accept(List.copyOf(chosen));
      return;
    }
    for (int i = from; i <= all.size() - size; i++) {
      chosen.add(all.get(i));
      visit(all, i + 1, size - 1, chosen, visitor);
      chosen.removeLast();
    }
  }

  private Subsets() {}
}
