package org.reprise.anomaly.agent.detect;

import org.jspecify.annotations.Nullable;
import org.reprise.anomaly.agent.block.Fork;
import org.reprise.anomaly.agent.block.OpenForks;
import org.reprise.anomaly.agent.block.Strand;
import org.reprise.anomaly.agent.block.Tags;

/**
 * A strand that remembers what its block accesses before it tells the shadows: neighbouring
 * elements become one range, repeated ones nothing, and the shadow of an array is looked up once.
 */
public final class Checker extends Strand {
  private static final int RUNS = 32;
  private static final int SHADOWS = 256;

  private final AnomalyDetector detector;
  private final Run[] runs = new Run[RUNS];

  /** Bits of the runs that hold something. */
  private int pending;

  private final @Nullable Object[] shadowKeys = new Object[SHADOWS];
  private final @Nullable ArrayShadow[] shadows = new ArrayShadow[SHADOWS];

  Checker(AnomalyDetector detector, Tags tags, OpenForks open) {
    super(tags, open);
    this.detector = detector;
    fill();
  }

  Checker(AnomalyDetector detector, Tags tags, OpenForks open, Fork fork) {
    super(tags, open, fork);
    this.detector = detector;
    fill();
  }

  private void fill() {
    for (int i = 0; i < RUNS; i++) {
      runs[i] = new Run();
    }
  }

  @Override
  protected void over() {
    detector.forget(this);
  }

  /** Neighbouring elements that one statement accessed in one block. */
  private static final class Run {
    @Nullable Object array;
    int from;
    int to;
    int access;
    Kind kind = Kind.READ;
    int site;
    int locks;
  }

  /**
   * The block accesses an element. Hot path: a statement that goes on where it was costs a few
   * compares.
   */
  void element(Object array, int index, int site, Kind kind) {
    int slot = (site * 2 + kind.ordinal()) & (RUNS - 1);
    Run run = runs[slot];
    if (run.array == array && run.site == site && run.kind == kind && run.locks == locks) {
      if (index == run.to) {
        run.to++;
        return;
      }
      if (index >= run.from && index < run.to) {
        return;
      }
      if (index == run.from - 1) {
        run.from--;
        return;
      }
    }
    if (run.array != null) {
      flush(run);
    }
    run.array = array;
    run.from = index;
    run.to = index + 1;
    run.access = detector.access(site, kind, locks);
    run.kind = kind;
    run.site = site;
    run.locks = locks;
    pending |= 1 << slot;
  }

  /** Tells the shadows what is remembered, before the block ends or learns something. */
  @Override
  protected void leaving() {
    int bits = pending;
    if (bits == 0) {
      return;
    }
    pending = 0;
    while (bits != 0) {
      int slot = Integer.numberOfTrailingZeros(bits);
      bits &= bits - 1;
      flush(runs[slot]);
    }
  }

  private void flush(Run run) {
    Object array = run.array;
    run.array = null;
    if (array != null) {
      detector.range(this, array, run.from, run.to, 1, run.access, run.kind);
    }
  }

  /** The shadow of an array, which is mostly one of those used before. */
  ArrayShadow shadow(Object array) {
    int slot = System.identityHashCode(array) & (SHADOWS - 1);
    ArrayShadow cached = shadows[slot];
    if (shadowKeys[slot] == array && cached != null) {
      return cached;
    }
    ArrayShadow shadow = detector.shadow(array);
    shadowKeys[slot] = array;
    shadows[slot] = shadow;
    return shadow;
  }
}
