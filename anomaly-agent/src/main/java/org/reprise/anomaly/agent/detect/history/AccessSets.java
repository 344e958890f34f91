package org.reprise.anomaly.agent.detect.history;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Numbers for what one block did to one element: sets of accesses. 0 is nothing. */
public final class AccessSets {
  private final List<int[]> sets = new ArrayList<>(List.of(new int[0]));
  private final Map<List<Integer>, Integer> numbers = new HashMap<>();
  private final ConcurrentHashMap<Long, Integer> added = new ConcurrentHashMap<>();

  public AccessSets() {
    numbers.put(List.of(), 0);
  }

  int with(int set, int access) {
    long key = ((long) set << 32) | access;
    Integer number = added.get(key);
    return number != null ? number : add(key, set, access);
  }

  private synchronized int add(long key, int set, int access) {
    int[] old = sets.get(set);
    int[] sorted = old;
    if (Arrays.binarySearch(old, access) < 0) {
      sorted = Arrays.copyOf(old, old.length + 1);
      sorted[old.length] = access;
      Arrays.sort(sorted);
    }
    int[] all = sorted;
    int number =
        numbers.computeIfAbsent(
            Arrays.stream(all).boxed().toList(),
            any -> {
              sets.add(all);
              return sets.size() - 1;
            });
    added.put(key, number);
    return number;
  }

  /** The accesses of the set, in rising order. Not to be changed. */
  synchronized int[] get(int set) {
    return sets.get(set);
  }
}
