package org.reprise.anomaly.agent.detect;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.reprise.anomaly.agent.block.Fork;
import org.reprise.anomaly.agent.block.OpenForks;
import org.reprise.anomaly.agent.block.Origin;
import org.reprise.anomaly.agent.block.Strand;
import org.reprise.anomaly.agent.block.Tags;

/**
 * A strand that remembers what its block accesses before it tells the shadows: neighbouring
 * elements become one range, repeated ones nothing, and the shadow of an array is looked up once.
 */
public final class Checker extends Strand {
  private static final int RUNS = 256;
  private static final int SHADOWS = 1024;
  private static final int ACCESSES = 256;
  private static final int READS = 1 << 15;

  /** How many places a field may have there. */
  private static final int PROBES = 8;

  private final AnomalyDetector detector;
  private final Run[] runs = new Run[RUNS];

  /** The runs that hold something. */
  private final int[] pending = new int[RUNS];

  private int pendingCount;

  /** What iterations did that is looked at when their loop is joined. */
  final DeferredRanges log = new DeferredRanges();

  private final int[] accessKeys = new int[ACCESSES];
  private final int[] accessLocks = new int[ACCESSES];
  private final int[] accessNumbers = new int[ACCESSES];

  /** Fields that were read so often in a loop that more readers add nothing. */
  private @Nullable Object @Nullable [] readObjects;

  private int[] readAccesses = new int[0];
  private @Nullable Fork readLoop;

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

  void element(Object array, int index, int site, Kind kind) {
    run(array, index, index + 1, site, kind);
  }

  /**
   * The block accesses neighbouring elements. Hot path: a statement that goes on where it was, or
   * comes back to where it was before, costs a few compares.
   */
  void run(Object array, int from, int to, int site, Kind kind) {
    int slot = (site * 2 + kind.ordinal()) & (RUNS - 1);
    Run run = runs[slot];
    if (run.array == array && run.site == site && run.kind == kind && run.locks == locks) {
      if (from <= run.to && to >= run.from) {
        run.from = Math.min(run.from, from);
        run.to = Math.max(run.to, to);
        return;
      }
    }
    if (run.array != null) {
      flush(run);
    } else {
      pending[pendingCount++] = slot;
    }
    run.array = array;
    run.from = from;
    run.to = to;
    run.access = access(site, kind);
    run.kind = kind;
    run.site = site;
    run.locks = locks;
  }

  /** Tells the shadows what is remembered, before the block ends or learns something. */
  @Override
  protected void leaving() {
    for (int i = 0; i < pendingCount; i++) {
      flush(runs[pending[i]]);
    }
    pendingCount = 0;
    Deferral deferral = detector.deferral();
    if (deferral != null) {
      log.end(this, deferral);
    }
  }

  @Override
  public Fork forkLoop(Origin origin) {
    boolean isAlone = !on && fork() == null;
    Fork loop = super.forkLoop(origin);
    if (isAlone) {
      detector.defer(loop);
    }
    return loop;
  }

  @Override
  public void join(Fork forked) {
    leaving();
    readObjects = null;
    detector.joining(forked, this);
    super.join(forked);
  }

  /** The block accesses a range, in rising order. */
  void range(Object array, int from, int to, int stride, int access, Kind kind) {
    ArrayShadow shadow = shadow(array);
    Deferral deferral = detector.deferral();
    if (deferral == null) {
      tell(shadow, from, to, stride, access);
      return;
    }
    if (isUntouched(deferral.loop) && !deferral.isBroken() && !log.isFull()) {
      int end = Math.min(to, shadow.length());
      int first = from < 0 ? from + (-from + stride - 1) / stride * stride : from;
      if (first < end) {
        shadow.visit(deferral, tag, kind.isWrite());
        log.add(shadow, first, end, end - first == 1 ? 1 : stride, access, tag);
      }
      return;
    }
    detector.breakUp(deferral, this);
    tell(shadow, from, to, stride, access);
  }

  /** The block accesses elements in no order that was recognised. */
  void elements(Object array, int[] indices, int count, int access, Kind kind) {
    ArrayShadow shadow = shadow(array);
    Deferral deferral = detector.deferral();
    if (deferral != null && isUntouched(deferral.loop) && !deferral.isBroken() && !log.isFull()) {
      int[] kept = new int[count];
      int size = 0;
      for (int i = 0; i < count; i++) {
        int index = indices[i];
        if (index >= 0 && index < shadow.length()) {
          kept[size++] = index;
        }
      }
      if (size > 0) {
        shadow.visit(deferral, tag, kind.isWrite());
        log.add(shadow, size == count ? kept : Arrays.copyOf(kept, size), access, tag);
      }
      return;
    }
    for (int i = 0; i < count; i++) {
      range(array, indices[i], indices[i] + 1, 1, access, kind);
    }
  }

  /** Checks a range against what the shadow knows. */
  void tell(ArrayShadow shadow, int from, int to, int stride, int access) {
    shadow.add(this, from, to, stride, access, detector.kind(access), this::found);
  }

  /** The current block's access conflicts with an earlier one. */
  void found(int sourceTag, int source, int sink, int index) {
    detector.foundPart(this, sourceTag, source, sink, "", index);
  }

  /** Whether a further iteration that reads the field there adds nothing. */
  boolean isReadByMany(Object object, int access) {
    Object[] objects = readObjects;
    if (objects == null || readLoop != fork()) {
      return false;
    }
    int first = readSlot(object, access);
    for (int i = 0; i < PROBES; i++) {
      int slot = first ^ i;
      if (objects[slot] == object && readAccesses[slot] == access) {
        return true;
      }
    }
    return false;
  }

  /** Remembers a field that two other iterations of this loop have read at the same place. */
  void readByMany(Object object, int access) {
    Object[] objects = readObjects;
    if (objects == null || readLoop != fork()) {
      objects = new Object[READS];
      readObjects = objects;
      readAccesses = new int[READS];
      readLoop = fork();
    }
    int first = readSlot(object, access);
    int slot = first;
    for (int i = 0; i < PROBES && objects[slot] != null; i++) {
      slot = first ^ i;
    }
    objects[slot] = object;
    readAccesses[slot] = access;
  }

  private static int readSlot(Object object, int access) {
    return (System.identityHashCode(object) + access * 0x9E3779B9) & (READS - 1);
  }

  /** The number of an access by this block. */
  int access(int site, Kind kind) {
    int key = site * 8 + kind.ordinal();
    int slot = key & (ACCESSES - 1);
    if (accessKeys[slot] != key || accessLocks[slot] != locks) {
      accessNumbers[slot] = detector.access(site, kind, locks);
      accessKeys[slot] = key;
      accessLocks[slot] = locks;
    }
    return accessNumbers[slot];
  }

  private void flush(Run run) {
    Object array = run.array;
    run.array = null;
    if (array != null) {
      range(array, run.from, run.to, 1, run.access, run.kind);
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
