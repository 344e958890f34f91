package org.reprise.anomaly.agent.detect.library;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.reprise.anomaly.agent.detect.history.IdentityTable;

/**
 * Sets of locks by number; 0 is no lock. Locks order nothing: they only tell accesses that exclude
 * each other from accesses that do not (Hood, Kennedy and Mellor-Crummey 1990, 2.4).
 */
public final class LockSets {
  private static final String SHORT_CIRCUIT = ShortCircuit.class.getName();

  /** What stands in sets and excludes nobody. */
  private static final Set<String> MARKS =
      Set.of(SHORT_CIRCUIT, OpenFiles.StreamMark.class.getName());

  private final IdentityTable<Object, Integer> locks = new IdentityTable<>();
  private final AtomicInteger nextLock = new AtomicInteger();
  private final Map<Integer, String> names = new ConcurrentHashMap<>();

  /**
   * Rising: twice the number of a lock, and one more where it is held shared; one that is held
   * twice is in it twice.
   */
  private final List<int[]> sets = new ArrayList<>(List.of(new int[0]));

  private final Map<List<Integer>, Integer> numbers = new HashMap<>();
  private final ConcurrentHashMap<Long, Integer> entered = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<Long, Integer> left = new ConcurrentHashMap<>();

  public LockSets() {
    numbers.put(List.of(), 0);
  }

  public int enter(int set, Object lock) {
    return enter(set, lock, false);
  }

  public int enter(int set, Object lock, boolean isShared) {
    int number = number(lock, isShared);
    return entered.computeIfAbsent(key(set, number), any -> with(set, number));
  }

  public int exit(int set, Object lock, boolean isShared) {
    int number = number(lock, isShared);
    return left.computeIfAbsent(key(set, number), any -> without(set, number));
  }

  /** The lock as it is in sets: held shared, or not. */
  public int number(Object lock, boolean isShared) {
    return 2 * number(lock) + (isShared ? 1 : 0);
  }

  private int number(Object lock) {
    return locks.get(
        lock,
        added -> {
          int number = nextLock.incrementAndGet();
          names.put(number, added.getClass().getName());
          return number;
        });
  }

  private static long key(int set, int lock) {
    return ((long) set << 32) | lock;
  }

  private synchronized int with(int set, int lock) {
    int[] old = sets.get(set);
    int[] longer = Arrays.copyOf(old, old.length + 1);
    longer[old.length] = lock;
    Arrays.sort(longer);
    return intern(longer);
  }

  private synchronized int without(int set, int lock) {
    int[] old = sets.get(set);
    int at = Arrays.binarySearch(old, lock);
    if (at < 0) {
      return set;
    }
    int[] shorter = new int[old.length - 1];
    System.arraycopy(old, 0, shorter, 0, at);
    System.arraycopy(old, at + 1, shorter, at, shorter.length - at);
    return intern(shorter);
  }

  private int intern(int[] set) {
    List<Integer> key = Arrays.stream(set).boxed().toList();
    Integer number = numbers.get(key);
    if (number == null) {
      number = sets.size();
      sets.add(set);
      numbers.put(key, number);
    }
    return number;
  }

  /** Whether some lock is in both sets, and not shared in both. */
  public synchronized boolean meet(int one, int other) {
    if (one == 0 || other == 0) {
      return false;
    }
    int[] a = sets.get(one);
    int[] b = sets.get(other);
    return Arrays.stream(a).anyMatch(lock -> excludes(lock, b));
  }

  /** Whether blocks that hold this may as well have been left out. */
  public synchronized boolean isShortCircuit(int set) {
    return set != 0 && Arrays.stream(sets.get(set)).anyMatch(this::isShortCircuitMark);
  }

  private boolean isShortCircuitMark(int lock) {
    return SHORT_CIRCUIT.equals(names.get(lock >> 1));
  }

  /** Whether there are no locks in the set. */
  public synchronized boolean isEmpty(int set) {
    return set == 0 || Arrays.stream(sets.get(set)).allMatch(this::isMark);
  }

  private boolean isMark(int lock) {
    return MARKS.contains(names.get(lock >> 1));
  }

  /** The locks of a set, without marks. */
  synchronized int[] locks(int set) {
    return Arrays.stream(sets.get(set)).filter(lock -> !isMark(lock)).toArray();
  }

  /** Whether the object is a lock of the set, or a mark in it. */
  public boolean contains(int set, Object lock) {
    return contains(set, number(lock, false));
  }

  /** Whether the lock is in the set, shared or not. */
  synchronized boolean contains(int set, int lock) {
    return Arrays.stream(sets.get(set)).anyMatch(held -> held >> 1 == lock >> 1);
  }

  /** Whether who takes the lock waits for those that hold the set. */
  synchronized boolean excludes(int lock, int set) {
    return excludes(lock, sets.get(set));
  }

  private static boolean excludes(int lock, int[] others) {
    int exclusive = lock & ~1;
    return Arrays.binarySearch(others, exclusive) >= 0
        || (lock == exclusive && Arrays.binarySearch(others, exclusive + 1) >= 0);
  }

  /** The classes of the locks, for reports. */
  public synchronized List<String> names(int set) {
    return Arrays.stream(sets.get(set))
        .map(lock -> lock >> 1)
        .distinct()
        .mapToObj(lock -> names.getOrDefault(lock, "a lock"))
        .filter(name -> !MARKS.contains(name))
        .toList();
  }
}
