package org.reprise.anomaly.agent.detect;

import static org.reprise.anomaly.agent.detect.DeferredRanges.ACCESS;
import static org.reprise.anomaly.agent.detect.DeferredRanges.COUNT;
import static org.reprise.anomaly.agent.detect.DeferredRanges.FROM;
import static org.reprise.anomaly.agent.detect.DeferredRanges.NUMBERS;
import static org.reprise.anomaly.agent.detect.DeferredRanges.PLACE;
import static org.reprise.anomaly.agent.detect.DeferredRanges.ROW_STEP;
import static org.reprise.anomaly.agent.detect.DeferredRanges.SPAN;
import static org.reprise.anomaly.agent.detect.DeferredRanges.STEP;
import static org.reprise.anomaly.agent.detect.DeferredRanges.STRIDE;
import static org.reprise.anomaly.agent.detect.DeferredRanges.TAG;
import static org.reprise.anomaly.agent.detect.DeferredRanges.TAG_STEP;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.reprise.anomaly.agent.detect.ArrayShadow.Range;

/**
 * What all threads listed in one loop. Mostly these are a few progressions through rows that hardly
 * meet, so they are put in the order of the arrays they begin with, and those that have arrays in
 * common are compared. Where they are many in one array, or lists of single elements, they are put
 * together array by array.
 *
 * <p>Hot path: once per loop. Benchmarks: {@code bench/anomalies lu search sor}.
 */
final class LoopEntries {
  /** More could not be numbered beside their arrays in one long. */
  static final int COUNT_MAX = 1 << 24;

  private static final int COMPARED_MIN = 4096;
  private static final int COMPARED_PER_ENTRY = 16;

  /** Comparing each piece of an array with each is quick as long as there are no more than this. */
  private static final int PAIRED_MAX = 40;

  private final List<DeferredRanges> logs;
  private final int count;

  /** By entry: the log, and the place there. */
  private final int[] logOf;

  private final int[] entryOf;

  private final List<Stamped> stamped = new ArrayList<>();
  private final ElementWriters elementWriters;

  LoopEntries(List<DeferredRanges> logs, ElementWriters elementWriters) {
    int[] sizes = logs.stream().mapToInt(DeferredRanges::size).toArray();
    this.logs = logs;
    this.count = Arrays.stream(sizes).sum();
    this.elementWriters = elementWriters;
    this.logOf = new int[count];
    this.entryOf = new int[count];
    int next = 0;
    for (int log = 0; log < logs.size(); log++) {
      for (int i = 0; i < sizes[log]; i++) {
        logOf[next] = log;
        entryOf[next++] = i;
      }
      stamped.addAll(logs.get(log).stamped());
    }
  }

  /** Whether an element was written in one iteration and accessed in another. */
  boolean conflict() {
    long[] order = new long[count];
    long[] last = new long[count];
    boolean written = stamped.stream().anyMatch(elements -> elements.kind.isWrite());
    boolean listed = !stamped.isEmpty();
    for (int i = 0; i < count; i++) {
      DeferredRanges log = logs.get(logOf[i]);
      int[] numbers = log.numbers();
      int at = NUMBERS * entryOf[i];
      int across = numbers[at + ROW_STEP] * (numbers[at + COUNT] - 1);
      long first = (long) log.neighbours(entryOf[i]).number * Neighbours.COUNT_MAX;
      first += numbers[at + PLACE];
      order[i] = (first + Math.min(0, across)) << 24 | i;
      last[i] = first + Math.max(0, across);
      written |= isWrite(numbers, at);
      listed |= log.list(entryOf[i]) != null;
    }
    if (!written) {
      return false;
    }
    if (listed) {
      return conflictByArray();
    }
    Arrays.sort(order);
    int left = COMPARED_MIN + COMPARED_PER_ENTRY * count;
    for (int i = 0; i < count; i++) {
      int one = (int) order[i] & (COUNT_MAX - 1);
      int[] numbers = logs.get(logOf[one]).numbers();
      int at = NUMBERS * entryOf[one];
      boolean writes = isWrite(numbers, at);
      if (writes && meetsItself(numbers, at)) {
        return true;
      }
      for (int j = i + 1; j < count && order[j] >> 24 <= last[one]; j++) {
        int other = (int) order[j] & (COUNT_MAX - 1);
        int[] otherNumbers = logs.get(logOf[other]).numbers();
        int otherAt = NUMBERS * entryOf[other];
        if ((writes || isWrite(otherNumbers, otherAt))
            && Progressions.meet(numbers, at, otherNumbers, otherAt)) {
          return true;
        }
        if (--left == 0) {
          return conflictByArray();
        }
      }
    }
    return false;
  }

  private static boolean isWrite(int[] numbers, int at) {
    return (numbers[at + ACCESS] & 1) != 0;
  }

  private static boolean meetsItself(int[] numbers, int at) {
    return numbers[at + COUNT] > 1
        && numbers[at + ROW_STEP] == 0
        && Progressions.meet(numbers, at, numbers, at);
  }

  private boolean conflictByArray() {
    ByArray pieces = new ByArray();
    try {
      for (ArrayShadow shadow : pieces.arrays) {
        if (pieces.conflict(shadow)) {
          return true;
        }
      }
      return false;
    } finally {
      pieces.forget();
    }
  }

  /** Hands on the ranges of each array that has a conflict. */
  void forEachArrayInConflict(Consumer<List<Range>> action) {
    ByArray pieces = new ByArray();
    try {
      for (ArrayShadow shadow : pieces.arrays) {
        if (pieces.conflict(shadow)) {
          action.accept(pieces.ranges(shadow));
        }
      }
    } finally {
      pieces.forget();
    }
  }

  /** The pieces of one array after the other; all those in one array of an entry are one. */
  private final class ByArray {
    private static final int WHOLE = -1;

    final List<ArrayShadow> arrays = new ArrayList<>();

    /** Three numbers a piece: the entry, the piece of it or {@link #WHOLE}, the next piece. */
    private int[] pieces = new int[3 * 64];

    private int size = 1;
    private final int[] paired = new int[NUMBERS * PAIRED_MAX];

    private final Map<ArrayShadow, List<Stamped>> stampedOf = new LinkedHashMap<>();

    private int[] writers = new int[0];

    ByArray() {
      for (int i = 0; i < count; i++) {
        DeferredRanges log = logs.get(logOf[i]);
        int at = NUMBERS * entryOf[i];
        if (log.numbers()[at + ROW_STEP] == 0) {
          add(log.shadow(entryOf[i], 0), i, WHOLE);
        } else {
          for (int k = 0; k < log.numbers()[at + COUNT]; k++) {
            add(log.shadow(entryOf[i], k), i, k);
          }
        }
      }
      for (Stamped elements : stamped) {
        stampedOf.computeIfAbsent(elements.shadow, this::newStamped).add(elements);
      }
    }

    private List<Stamped> newStamped(ArrayShadow shadow) {
      if (shadow.pieces == 0) {
        arrays.add(shadow);
      }
      return new ArrayList<>();
    }

    private List<Stamped> stamped(ArrayShadow shadow) {
      return stampedOf.getOrDefault(shadow, List.of());
    }

    private void add(ArrayShadow shadow, int entry, int piece) {
      if (3 * size == pieces.length) {
        pieces = Arrays.copyOf(pieces, 2 * pieces.length);
      }
      if (shadow.pieces == 0) {
        arrays.add(shadow);
      }
      pieces[3 * size] = entry;
      pieces[3 * size + 1] = piece;
      pieces[3 * size + 2] = shadow.pieces;
      shadow.pieces = size++;
    }

    void forget() {
      arrays.forEach(shadow -> shadow.pieces = 0);
    }

    boolean conflict(ArrayShadow shadow) {
      if (shadow.pieces == 0) {
        return Stamped.conflict(stamped(shadow));
      }
      int found = 0;
      boolean listed = !stamped(shadow).isEmpty();
      boolean written = stamped(shadow).stream().anyMatch(elements -> elements.kind.isWrite());
      for (int next = shadow.pieces; next != 0; next = pieces[3 * next + 2]) {
        int entry = pieces[3 * next];
        DeferredRanges log = logs.get(logOf[entry]);
        int at = NUMBERS * entryOf[entry];
        written |= isWrite(log.numbers(), at);
        listed |= log.list(entryOf[entry]) != null;
        if (found < PAIRED_MAX && !listed) {
          copy(log.numbers(), at, pieces[3 * next + 1], NUMBERS * found);
        }
        found++;
      }
      if (!written) {
        return false;
      }
      return listed || found > PAIRED_MAX ? conflictByElement(shadow) : anyPairMeets(found);
    }

    /** One piece as a progression of its own, or a whole one. */
    private void copy(int[] numbers, int at, int piece, int to) {
      System.arraycopy(numbers, at, paired, to, NUMBERS);
      paired[to + PLACE] = 0;
      if (piece != WHOLE) {
        paired[to + FROM] += piece * numbers[at + STEP];
        paired[to + TAG] += piece * numbers[at + TAG_STEP];
        paired[to + ROW_STEP] = 0;
        paired[to + COUNT] = 1;
      }
    }

    private boolean anyPairMeets(int found) {
      for (int i = 0; i < found; i++) {
        int a = NUMBERS * i;
        boolean writes = isWrite(paired, a);
        if (writes && meetsItself(paired, a)) {
          return true;
        }
        for (int j = 0; j < i; j++) {
          int b = NUMBERS * j;
          if ((writes || isWrite(paired, b)) && Progressions.meet(paired, a, paired, b)) {
            return true;
          }
        }
      }
      return false;
    }

    /** First every element remembers who wrote it, then everybody looks who it was. */
    private boolean conflictByElement(ArrayShadow shadow) {
      writers = elementWriters.of(shadow.length());
      boolean conflict = passAll(shadow, Pass.WRITE) || passAll(shadow, Pass.READ);
      if (!stamped(shadow).isEmpty()
          || ElementWriters.isClearedAsAWhole(listed(shadow), shadow.length())) {
        Arrays.fill(writers, 0, shadow.length(), 0);
      } else {
        pass(shadow, Pass.FORGET);
      }
      return conflict;
    }

    /** How many elements are listed as written. */
    private long listed(ArrayShadow shadow) {
      long sum = 0;
      for (int next = shadow.pieces; next != 0; next = pieces[3 * next + 2]) {
        int entry = pieces[3 * next];
        DeferredRanges log = logs.get(logOf[entry]);
        int[] list = log.list(entryOf[entry]);
        sum += list != null && isWrite(log.numbers(), NUMBERS * entryOf[entry]) ? list.length : 0;
      }
      return sum;
    }

    private boolean passAll(ArrayShadow shadow, Pass pass) {
      return pass(shadow, pass) || passStamped(shadow, pass);
    }

    private boolean passStamped(ArrayShadow shadow, Pass pass) {
      boolean[] found = new boolean[1];
      for (Stamped elements : stamped(shadow)) {
        if (elements.kind.isWrite() == (pass == Pass.WRITE)) {
          elements.forEach((index, tag, access) -> found[0] |= meets(index, tag, pass));
        }
      }
      return found[0];
    }

    private boolean pass(ArrayShadow shadow, Pass pass) {
      for (int next = shadow.pieces; next != 0; next = pieces[3 * next + 2]) {
        int entry = pieces[3 * next];
        DeferredRanges log = logs.get(logOf[entry]);
        int[] numbers = log.numbers();
        int at = NUMBERS * entryOf[entry];
        if (isWrite(numbers, at) == (pass != Pass.READ)) {
          int[] list = log.list(entryOf[entry]);
          int piece = pieces[3 * next + 1];
          boolean found =
              list != null
                  ? list(list, numbers[at + TAG], pass)
                  : piece != WHOLE ? piece(numbers, at, piece, pass) : whole(numbers, at, pass);
          if (found && pass != Pass.FORGET) {
            return true;
          }
        }
      }
      return false;
    }

    private boolean whole(int[] numbers, int at, Pass pass) {
      for (int k = 0; k < numbers[at + COUNT]; k++) {
        if (piece(numbers, at, k, pass)) {
          return true;
        }
      }
      return false;
    }

    private boolean piece(int[] numbers, int at, int piece, Pass pass) {
      int from = numbers[at + FROM] + piece * numbers[at + STEP];
      int tag = numbers[at + TAG] + piece * numbers[at + TAG_STEP];
      for (int i = from; i < from + numbers[at + SPAN]; i += numbers[at + STRIDE]) {
        if (meets(i, tag, pass)) {
          return true;
        }
      }
      return false;
    }

    private boolean list(int[] indices, int first, Pass pass) {
      int tag = first;
      for (int index : indices) {
        if (index < 0) {
          tag = first - 1 - index;
        } else if (meets(index, tag, pass)) {
          return true;
        }
      }
      return false;
    }

    private boolean meets(int index, int tag, Pass pass) {
      int writer = writers[index];
      switch (pass) {
        case WRITE -> writers[index] = tag;
        case READ -> {}
        case FORGET -> {
          writers[index] = 0;
          return false;
        }
      }
      return writer != 0 && writer != tag;
    }

    List<Range> ranges(ArrayShadow shadow) {
      List<Range> ranges = new ArrayList<>();
      for (Stamped elements : stamped(shadow)) {
        elements.forEach(
            (index, tag, access) -> ranges.add(new Range(index, index + 1, 1, tag, access)));
      }
      for (int next = shadow.pieces; next != 0; next = pieces[3 * next + 2]) {
        int entry = pieces[3 * next];
        DeferredRanges log = logs.get(logOf[entry]);
        int piece = pieces[3 * next + 1];
        int first = piece == WHOLE ? 0 : piece;
        int end = piece == WHOLE ? log.differentPieces(entryOf[entry]) : piece + 1;
        for (int k = first; k < end; k++) {
          log.forEachRange(
              entryOf[entry],
              k,
              (from, to, stride, tag, access) ->
                  ranges.add(new Range(from, to, stride, tag, access)));
        }
      }
      return ranges;
    }
  }

  /** What is done with each element of an array. */
  private enum Pass {
    WRITE,
    READ,
    FORGET
  }
}
