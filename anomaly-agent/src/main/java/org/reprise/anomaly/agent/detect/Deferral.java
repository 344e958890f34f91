package org.reprise.anomaly.agent.detect;

import static org.reprise.anomaly.agent.detect.DeferredRanges.ACCESS;
import static org.reprise.anomaly.agent.detect.DeferredRanges.COUNT;
import static org.reprise.anomaly.agent.detect.DeferredRanges.COUNT_MAX;
import static org.reprise.anomaly.agent.detect.DeferredRanges.FROM;
import static org.reprise.anomaly.agent.detect.DeferredRanges.NEXT;
import static org.reprise.anomaly.agent.detect.DeferredRanges.NUMBERS;
import static org.reprise.anomaly.agent.detect.DeferredRanges.SPAN;
import static org.reprise.anomaly.agent.detect.DeferredRanges.STEP;
import static org.reprise.anomaly.agent.detect.DeferredRanges.STRIDE;
import static org.reprise.anomaly.agent.detect.DeferredRanges.TAG;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.reprise.anomaly.agent.block.Fork;
import org.reprise.anomaly.agent.detect.ArrayShadow.Range;

/**
 * A loop beside which nothing else runs. Its iterations are all concurrent with each other and with
 * nothing besides, so their accesses to arrays need no order test: each thread lists them, an array
 * only remembers whether one iteration, several readers, or writers and others came by, and the
 * lists are looked at when the loop is joined, for arrays of the last sort only. Whether any two
 * entries of such an array conflict is one question; only if the answer is yes are all pairs looked
 * for.
 *
 * <p>As soon as somebody else accesses an array (a task forked by an iteration, one that waited for
 * another, an accumulation), the loop is no longer of that kind: what was listed is told to the
 * shadows as if it happened now, and from then on everything is.
 */
final class Deferral {
  static final int NUMBER_MAX = (1 << 29) - 1;

  /** Comparing each entry with each is quick as long as there are no more than this. */
  private static final int PAIRED_MAX = 40;

  /** More threads than this could not be told apart in one number with their entries. */
  private static final int LOGS_MAX = (1 << 11) - 1;

  final Fork loop;

  /** Distinguishes the loop from all others, in the shadows of arrays. */
  final int number;

  private final Queue<ArrayShadow> mixed = new ConcurrentLinkedQueue<>();

  private volatile boolean broken;

  Deferral(Fork loop, int number) {
    this.loop = loop;
    this.number = number;
  }

  boolean isBroken() {
    return broken;
  }

  /** The array was written by one iteration and accessed by another. */
  void mixed(ArrayShadow shadow) {
    mixed.add(shadow);
  }

  /** Somebody accesses an array who is no iteration of the loop. */
  synchronized void breakUp(Checker by, List<Checker> all) {
    if (!broken) {
      broken = true;
      all.forEach(checker -> checker.log.replay(by, loop));
    }
  }

  /** All iterations have ended. */
  synchronized void join(Checker by, List<Checker> all, Accesses accesses) {
    if (all.size() > LOGS_MAX) {
      breakUp(by, all);
    }
    if (!broken && !mixed.isEmpty()) {
      Entries entries = new Entries(this, all);
      for (ArrayShadow shadow : mixed) {
        if (entries.conflict(shadow)) {
          sweep(entries.ranges(shadow), by, accesses);
        }
        shadow.entries = 0;
      }
    }
    all.forEach(checker -> checker.log.clear());
  }

  /** The entries of one array after the other, from the lists of all threads. */
  private static final class Entries {
    private final List<DeferredRanges> logs = new ArrayList<>();
    private int[] paired = new int[NUMBERS * PAIRED_MAX];

    /** Which iteration wrote an element; 0 throughout between two arrays. */
    private int[] writers = new int[0];

    Entries(Deferral deferral, List<Checker> all) {
      for (Checker checker : all) {
        if (!checker.log.isEmpty()) {
          checker.log.link(deferral, logs.size());
          logs.add(checker.log);
        }
      }
    }

    /** Whether an element was written in one iteration and accessed in another. */
    boolean conflict(ArrayShadow shadow) {
      int count = 0;
      for (int entry = shadow.entries; entry != 0; count++) {
        DeferredRanges log = logs.get((entry - 1) / COUNT_MAX);
        int place = (entry - 1) % COUNT_MAX;
        if (count == PAIRED_MAX || log.list(place) != null) {
          return conflictByElement(shadow);
        }
        int[] numbers = log.numbers();
        System.arraycopy(numbers, NUMBERS * place, paired, NUMBERS * count, NUMBERS);
        entry = numbers[NUMBERS * place + NEXT];
      }
      for (int i = 0; i < count; i++) {
        int a = NUMBERS * i;
        boolean writes = (paired[a + ACCESS] & 1) != 0;
        if (writes && paired[a + COUNT] > 1 && Progressions.meet(paired, a, a)) {
          return true;
        }
        for (int j = 0; j < i; j++) {
          int b = NUMBERS * j;
          if ((writes || (paired[b + ACCESS] & 1) != 0) && Progressions.meet(paired, a, b)) {
            return true;
          }
        }
      }
      return false;
    }

    /** First every element remembers who wrote it, then everybody looks who it was. */
    private boolean conflictByElement(ArrayShadow shadow) {
      if (writers.length < shadow.length()) {
        writers = new int[shadow.length()];
      }
      boolean conflict = pass(shadow, Pass.WRITE) || pass(shadow, Pass.READ);
      pass(shadow, Pass.FORGET);
      return conflict;
    }

    private enum Pass {
      WRITE,
      READ,
      FORGET
    }

    private boolean pass(ArrayShadow shadow, Pass pass) {
      int next;
      for (int entry = shadow.entries; entry != 0; entry = next) {
        DeferredRanges log = logs.get((entry - 1) / COUNT_MAX);
        int place = (entry - 1) % COUNT_MAX;
        int[] numbers = log.numbers();
        int at = NUMBERS * place;
        next = numbers[at + NEXT];
        boolean writes = (numbers[at + ACCESS] & 1) != 0;
        if (writes == (pass != Pass.READ)) {
          int[] list = log.list(place);
          boolean found =
              list == null ? pieces(numbers, at, pass) : list(list, numbers[at + TAG], pass);
          if (found && pass != Pass.FORGET) {
            return true;
          }
        }
      }
      return false;
    }

    private boolean pieces(int[] numbers, int at, Pass pass) {
      int from = numbers[at + FROM];
      int tag = numbers[at + TAG];
      for (int k = 0; k < numbers[at + COUNT]; k++, from += numbers[at + STEP], tag++) {
        for (int i = from; i < from + numbers[at + SPAN]; i += numbers[at + STRIDE]) {
          if (meets(i, tag, pass)) {
            return true;
          }
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
      for (int entry = shadow.entries; entry != 0; ) {
        DeferredRanges log = logs.get((entry - 1) / COUNT_MAX);
        int place = (entry - 1) % COUNT_MAX;
        log.collect(place, ranges);
        entry = log.numbers()[NUMBERS * place + NEXT];
      }
      return ranges;
    }
  }

  /** Finds ranges of one array that meet, of different iterations, one of them written. */
  private void sweep(List<Range> ranges, Checker by, Accesses accesses) {
    ranges.sort(Comparator.comparingInt(Range::from).thenComparingInt(Range::tag));
    List<Range> open = new ArrayList<>();
    for (Range range : ranges) {
      open.removeIf(other -> other.to() <= range.from());
      int alike = 0;
      Kind kind = accesses.get(range.access()).kind();
      for (Range other : open) {
        if (other.tag() != range.tag()) {
          if (kind.conflictsWith(accesses.get(other.access()).kind())) {
            report(other, range, by);
          }
          boolean reachesAsFar = other.stride() == 1 && other.to() >= range.to();
          alike += other.access() == range.access() && reachesAsFar ? 1 : 0;
        }
      }
      // Whatever meets this one meets one of two that do the same and reach as far.
      if (alike < 2) {
        open.add(range);
      }
    }
  }

  private void report(Range one, Range other, Checker by) {
    int index = one.meets(other);
    if (index < 0) {
      return;
    }
    Range source = one.tag() < other.tag() ? one : other;
    Range sink = source == one ? other : one;
    by.pretend(loop, sink.tag());
    by.found(source.tag(), source.access(), sink.access(), index);
    by.stopPretending();
  }
}
