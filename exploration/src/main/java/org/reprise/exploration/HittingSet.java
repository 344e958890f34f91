package org.reprise.exploration;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A small set that has an element in common with each of some sets. The least one is hard to find
 * (Karp 1972); the greedy one, with what is not needed dropped again, is the least in nearly all
 * cases that come up here, where sets are few and small.
 */
public final class HittingSet {
  /** Such a set; empty if one of the sets is empty, since nothing hits that. */
  public static <T> Set<T> of(Collection<? extends Set<T>> sets) {
    if (sets.stream().anyMatch(Set::isEmpty)) {
      return Set.of();
    }
    Set<T> chosen = new LinkedHashSet<>();
    List<Set<T>> left = new ArrayList<>(sets);
    while (!left.isEmpty()) {
      T best = mostFrequent(left);
      chosen.add(best);
      left.removeIf(set -> set.contains(best));
    }
    for (T each : List.copyOf(chosen)) {
      boolean needed =
          sets.stream()
              .anyMatch(
                  set ->
                      set.contains(each)
                          && set.stream().noneMatch(o -> !o.equals(each) && chosen.contains(o)));
      if (!needed) {
        chosen.remove(each);
      }
    }
    return chosen;
  }

  private static <T> T mostFrequent(List<Set<T>> sets) {
    Map<T, Integer> counts = new LinkedHashMap<>();
    sets.forEach(set -> set.forEach(each -> counts.merge(each, 1, Integer::sum)));
    return counts.entrySet().stream().max(Map.Entry.comparingByValue()).orElseThrow().getKey();
  }

  private HittingSet() {}
}
