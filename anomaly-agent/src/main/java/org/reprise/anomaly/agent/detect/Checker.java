package org.reprise.anomaly.agent.detect;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.reprise.anomaly.agent.block.Fork;
import org.reprise.anomaly.agent.block.OpenForks;
import org.reprise.anomaly.agent.block.Origin;
import org.reprise.anomaly.agent.block.Release;
import org.reprise.anomaly.agent.block.Tags;
import org.reprise.anomaly.agent.block.ThreadOrder;
import org.reprise.anomaly.agent.detect.ArrayShadow.Range;
import org.reprise.anomaly.agent.detect.history.Kind;
import org.reprise.anomaly.agent.detect.library.AwaitedWrite;
import org.reprise.anomaly.agent.detect.library.OpenCalls;
import org.reprise.anomaly.agent.instrument.program.Bundle;
import org.reprise.anomaly.hooks.Stamps;

/**
 * A thread that remembers what its block accesses before it tells the shadows: neighbouring
 * elements become one range, repeated ones nothing, and the shadow of an array is looked up once.
 */
public final class Checker extends ThreadOrder {
  private static final int ACCESSES = 256;

  /** So few elements that are apart are no pattern: shadows keep them one by one. */
  private static final int SINGLES_MAX = 4;

  private final AnomalyDetector detector;
  private final WeakReference<Thread> thread;
  private final AccessRange[] runs = new AccessRange[STATEMENTS];

  /** The runs that hold something. */
  private final int[] pending = new int[STATEMENTS];

  private int pendingCount;

  private static final String DEADLOCK =
      "a wait, in a lock, for a block that takes the lock, too: a deadlock on another schedule";

  /** What the block did that the shadows do not know yet, and no run does either. */
  private final BlockRanges ranges;

  /** Room for whoever joins a loop. */
  final ElementWriters writers = new ElementWriters();

  final RowOwners owners = new RowOwners();

  /** What iterations did that is looked at when their loop is joined, or later. */
  volatile DeferredRanges log = new DeferredRanges();

  /** That of the loop before, which somebody may still look at. */
  private DeferredRanges otherLog = new DeferredRanges();

  /** The loop that was joined last, unless somebody looks at it. */
  private final AtomicReference<@Nullable JoinedLoop> joined = new AtomicReference<>();

  /** Of the locks that the block holds, the innermost last. */
  private final List<Offer> offers = new ArrayList<>();

  private @Nullable Object givenBack;

  private @Nullable Object bound;

  final OpenCalls openCalls = new OpenCalls();

  /** What it wrote since it last gave back a lock, if others may wait for that. */
  final List<AwaitedWrite> openWrites = new ArrayList<>();

  private final StampedArrays stamped;
  private final int[] accessKeys = new int[ACCESSES];
  private final int[] accessLocks = new int[ACCESSES];
  private final int[] accessNumbers = new int[ACCESSES];

  private final ArrayShadows shadows;
  private final RowsAhead rowsAhead;

  Checker(AnomalyDetector detector, Tags tags, OpenForks open) {
    super(tags, open);
    this.detector = detector;
    this.ranges = new BlockRanges(this::tell);
    this.shadows = new ArrayShadows(detector);
    this.rowsAhead = new RowsAhead(shadows);
    this.stamped = new StampedArrays(shadows, detector.listings());
    this.thread = new WeakReference<>(Thread.currentThread());
    fill();
  }

  Checker(AnomalyDetector detector, Tags tags, OpenForks open, Fork fork, Thread thread) {
    super(tags, open, fork);
    this.detector = detector;
    this.ranges = new BlockRanges(this::tell);
    this.shadows = new ArrayShadows(detector);
    this.rowsAhead = new RowsAhead(shadows);
    this.stamped = new StampedArrays(shadows, detector.listings());
    this.thread = new WeakReference<>(thread);
    fill();
  }

  private void fill() {
    for (int i = 0; i < STATEMENTS; i++) {
      runs[i] = new AccessRange();
    }
    goOnWith(runs);
  }

  @Override
  public int pushIterations(Fork loop, int count, long firstIteration) {
    settle();
    shadows.letGo();
    return super.pushIterations(loop, count, firstIteration);
  }

  @Override
  public void pushLeaf(Fork loop) {
    settle();
    shadows.letGo();
    super.pushLeaf(loop);
  }

  @Override
  public void willCall(int method, int count) {
    settle();
    super.willCall(method, count);
  }

  @Override
  public boolean query(Fork loop, int body, IntConsumer function, int number, int count) {
    shadows.letGo();
    return super.query(loop, body, function, number, count);
  }

  /** Whether the thread has died, and everything it did is on record. */
  boolean isOver() {
    Thread owner = thread.get();
    return (owner == null || !owner.isAlive())
        && pendingCount == 0
        && log.isEmpty()
        && joined.get() == null;
  }

  /** Tells what is left, unless the thread may add to it meanwhile: then false. */
  boolean finish(ThreadStillness rest) {
    Thread owner = thread.get();
    boolean isAtRest = owner == null || rest.isReachedBy(owner);
    if (isAtRest) {
      leaving();
    }
    return isAtRest;
  }

  @Override
  protected void over() {
    detector.forget(this);
  }

  void element(Object array, int index, int site, Kind kind) {
    AccessRange run = runs[slot(AccessRange.statement(site, kind))];
    if (run.isScattered && run.site == site && run.kind == kind) {
      add(indices(kind == Kind.WRITE, site), array, index);
    } else {
      run(array, index, index + 1, 1, site, kind);
    }
  }

  /**
   * The block accesses a range, in rising order. Hot path: a statement that goes on where it was,
   * comes back to where it was before, or moves on with the iterations of a loop, costs a few
   * compares.
   */
  void run(Object array, int from, int to, int stride, int site, Kind kind) {
    boolean isBundle = Bundle.is(site);
    if (isBundle && !defers()) {
      detector
          .bundle(site)
          .forEach(
              from,
              to,
              stride,
              (low, end, by, each) -> run(array, low, end, by, each.site(), kind(each)));
      return;
    }
    int slot = slot(AccessRange.statement(site, kind));
    AccessRange run = runs[slot];
    if (run.array != null && run.site == site && run.kind == kind && run.locks == locks()) {
      if (run.tag == tag) {
        // Which element of a bundle is the first must not be forgotten.
        if (run.array == array && !isBundle) {
          if (run.extend(from, to, stride)) {
            return;
          }
          run.broke();
          if (stride == 1 && begin(run, from, to)) {
            return;
          }
        }
      } else if (run.stride == stride) {
        proceed(run, array, from, to);
        return;
      }
    }
    if (run.array != null) {
      flush(run);
    } else {
      pending[pendingCount++] = slot;
    }
    run.start(array, from, to, stride, tag);
    run.belongsTo(site, kind);
    run.access = access(site, kind);
    run.locks = locks();
    if (loop != 0 && run.isSteady()) {
      run.expectTheSame(shadow(array));
    }
  }

  @Override
  protected void each(
      Object array, int from, int to, int stride, int shift, int count, boolean isWrite, int site) {
    Deferral deferral = detector.deferral();
    if (deferral != null && isIn(deferral)) {
      int access = access(site, isWrite ? Kind.WRITE : Kind.READ);
      log.add(shadow(array), from, to, stride, shift, access, isWrite, tag, count, 0);
      listed(deferral);
    }
  }

  @Override
  protected boolean holdsRows(Object[] rows, int first, int count, int to) {
    return rowsAhead.hold(rows, first, count, to);
  }

  @Override
  protected void eachRow(
      Object[] rows,
      int first,
      int from,
      int to,
      int stride,
      int shift,
      int count,
      boolean isConstant,
      boolean isWrite,
      int site) {
    Deferral deferral = detector.deferral();
    if (deferral == null || !isIn(deferral)) {
      return;
    }
    int access = access(site, isWrite ? Kind.WRITE : Kind.READ);
    rowsAhead.forEach(
        rows,
        first,
        count,
        isConstant,
        (shadow, after, beside) -> {
          int by = after * shift;
          log.add(
              shadow, from + by, to + by, stride, shift, access, isWrite, tag + after, beside, 1);
        });
    listed(deferral);
  }

  /** Whether what the block does is listed until its loop is joined. */
  private boolean defers() {
    Deferral deferral = detector.deferral();
    return loop != 0 && deferral != null && isIn(deferral) && !deferral.isBroken();
  }

  /** The statement goes on elsewhere in the same array, which is told when the block is left. */
  private boolean begin(AccessRange run, int from, int to) {
    if (run.stride != 1 || detector.deferral() != null) {
      return false;
    }
    Coverage coverage = run.coverage;
    if (coverage == null) {
      coverage = coverage(shadow(Objects.requireNonNull(run.array)), run.kind, run.locks);
      run.coverage = coverage;
    }
    add(coverage, run.from, run.to, run.access);
    run.from = from;
    run.to = to;
    return true;
  }

  private Coverage coverage(ArrayShadow shadow, Kind kind, int held) {
    if (ranges.isFull()) {
      ranges.tell();
      for (int i = 0; i < pendingCount; i++) {
        runs[pending[i]].coverage = null;
      }
    }
    return ranges.of(shadow, kind, held);
  }

  /** The block accessed a range that no run holds any more. */
  private void add(Coverage coverage, int from, int to, int access) {
    if (coverage.isFull()) {
      // What another statement is still at may cover most of it.
      for (int i = 0; i < pendingCount; i++) {
        AccessRange run = runs[pending[i]];
        if (run.stride == 1 && coverage.isOf(run)) {
          coverage.add(run.from, run.to, run.access);
        }
      }
      if (coverage.isFull()) {
        ranges.tell(coverage);
      }
    }
    coverage.add(from, to, access);
  }

  /** The statement accesses something in a new iteration. */
  private void proceed(AccessRange run, Object array, int from, int to) {
    ArrayShadow known = commit(run, run.array == array);
    ArrayShadow next = known;
    if (run.array != array) {
      boolean isNext = run.count == 1 || run.rowStep == 1;
      next = isNext ? (ArrayShadow) known.next : known.neighbours.at(known.place + run.rowStep);
      if (next == null || !next.refersTo(array)) {
        next = shadow(array);
      }
    }
    run.next(array, next, from, to, tag, loop != 0);
    if (loop != 0 && run.turns()) {
      list(run);
      run.turn(next);
    }
  }

  /** The current piece of the run joins those before, which are listed if it does not fit. */
  private ArrayShadow commit(AccessRange run, boolean isSame) {
    ArrayShadow known = (ArrayShadow) run.shadow;
    if (known == null) {
      known = shadow(Objects.requireNonNull(run.array));
    }
    if (!run.commit(known)) {
      if (isSame) {
        run.broke();
      }
      list(run);
      run.count = 0;
      run.commit(known);
    }
    return known;
  }

  /** What is remembered is told to the shadows, or listed: others may come to know of the block. */
  @Override
  protected void leaving() {
    // Lists first: what covers them comes after, and takes their place in the history.
    reportIndices();
    for (int i = 0; i < pendingCount; i++) {
      flush(runs[pending[i]]);
    }
    pendingCount = 0;
    ranges.tell();
    Deferral deferral = detector.deferral();
    if (deferral != null) {
      log.end(this, deferral);
    }
  }

  @Override
  protected boolean keepsIndices() {
    return true;
  }

  /** The block is about to get a lock, or to give it back, while nothing is beside it. */
  void changingLocks() {
    reportIndices();
  }

  /**
   * The block got a lock. What others did who had it before comes first on this schedule; but it
   * counts only once the block accesses what one of them accessed under the lock. Who came first is
   * no matter between sections that have nothing in common, and says nothing about other schedules.
   */
  void entered(Object lock, Release before, int[] holders) {
    checkAtOnce();
    if (before != Release.NONE) {
      leaving();
    } else {
      reportIndices();
    }
    offers.add(new Offer(lock, before, holders));
  }

  /** From now on nothing is listed until the loop that this is an iteration of is joined. */
  void checkAtOnce() {
    Deferral deferral = detector.deferral();
    if (deferral != null && isIn(deferral)) {
      detector.breakUp(deferral, this);
    }
  }

  /** The block is about to give the lock back. */
  void leavingLock(Object lock) {
    for (int i = offers.size() - 1; i >= 0; i--) {
      if (offers.get(i).lock == lock) {
        offers.remove(i);
        return;
      }
    }
  }

  /**
   * What a block that had the lock before did comes before, on this schedule.
   *
   * @param holders had it before, although nothing says that they must
   */
  private record Offer(Object lock, Release before, int[] holders) {}

  @Override
  public Release release() {
    Release release = super.release();
    openCalls.stepped(this);
    return release;
  }

  @Override
  public void renew() {
    super.renew();
    openCalls.stepped(this);
  }

  /** The function of this object is about to be handed over. */
  void bind(Object object) {
    bound = object;
  }

  @Nullable Object takeBound() {
    Object object = bound;
    bound = null;
    return object;
  }

  /** The lock in which the block waits for a variable, and which it gives back meanwhile. */
  void waitsIn(@Nullable Object lock) {
    givenBack = lock;
  }

  /** The block has waited for others: had it got its locks first, these might wait for it. */
  private void hasWaited(Optional<String> starvation) {
    starvation.ifPresent(text -> detector.obstacle(text, Stacks.place()));
    for (int i = 0; i < offers.size(); i++) {
      Offer offer = offers.get(i);
      int[] others = IntStream.of(offer.holders).filter(holder -> !isAfter(holder)).toArray();
      if (others.length == offer.holders.length) {
        continue;
      }
      if (offer.lock != givenBack) {
        detector.obstacle(DEADLOCK, Stacks.place());
      }
      offers.set(i, new Offer(offer.lock, offer.before, others));
    }
  }

  /** The block accesses, under a lock, what another accessed that had it before. */
  void follows(int block) {
    for (Offer offer : offers) {
      if (offer.before != Release.NONE && !hasSeen(block) && isOf(offer.before, block)) {
        haveSeen(offer.before);
      }
    }
  }

  /** Runs go on from one iteration to the next where neither is known to anybody else. */
  @Override
  protected boolean keeps(Fork forked) {
    Deferral deferral = detector.deferral();
    return deferral != null && deferral.loop == forked && !deferral.isBroken();
  }

  @Override
  public Fork forkLoop(Origin origin) {
    boolean isAlone = !on && isAlone();
    Fork loop = super.forkLoop(origin);
    if (isAlone) {
      detector.defer(loop);
    }
    return loop;
  }

  @Override
  public void join(Fork forked) {
    settle();
    leaving();
    detector.joining(forked, this);
    Optional<String> starvation = starvation(forked);
    super.join(forked);
    hasWaited(starvation);
  }

  @Override
  public void acquire(Release release) {
    settle();
    super.acquire(release);
    hasWaited(starvation(release));
  }

  /** A loop is over, of which something is left to be looked at. */
  void joined(JoinedLoop loop) {
    joined.set(loop);
    if (loop.isUrgent()) {
      settle();
    }
  }

  /** Looks at the loop that was joined last: now that others are busy, or have to know. */
  private void settle() {
    settle(this);
  }

  /** The same, where another looks: at the end of the program. */
  void settle(Checker by) {
    JoinedLoop last = joined.get() == null ? null : joined.getAndSet(null);
    if (last != null) {
      detector.check(last, by);
    }
  }

  /** What is listed of a loop that is over; the next one gets a list of its own. */
  DeferredRanges takeLog() {
    DeferredRanges taken = log;
    log = otherLog;
    otherLog = taken;
    return taken;
  }

  private void flush(AccessRange run) {
    Object array = run.array;
    if (array == null) {
      return;
    }
    Deferral deferral = detector.deferral();
    if (deferral != null && isUntouched(deferral.loop)) {
      commit(run, false);
      list(run);
      run.end();
      return;
    }
    run.end();
    if (deferral != null) {
      detector.breakUp(deferral, this);
    }
    int stride = run.stride;
    int steps = (run.to - run.from - 1) / stride;
    // A bundle is left only by an iteration whose loop ended without it, by an exception.
    if (Bundle.is(run.site) || (stride > 1 && steps >= SINGLES_MAX)) {
      tell(shadow(array), run.from, run.to, stride, run.access);
      return;
    }
    Coverage coverage = run.coverage;
    if (coverage == null) {
      coverage = coverage(shadow(array), run.kind, run.locks);
    }
    if (stride == 1) {
      add(coverage, run.from, run.to, run.access);
    } else {
      for (int i = 0; i <= steps; i++) {
        int index = run.from + i * stride;
        add(coverage, index, index + 1, run.access);
      }
    }
  }

  /** Lists the pieces of iterations of the loop whose accesses are deferred. */
  private void list(AccessRange run) {
    Deferral deferral = detector.deferral();
    if (deferral == null || !isIn(deferral)) {
      // The loop ended without this iteration, by an exception, which stands in the verdict's way.
      return;
    }
    log.add(run);
    listed(deferral);
  }

  private void listed(Deferral deferral) {
    if (log.isFull()) {
      detector.breakUp(deferral, this);
    }
    if (deferral.isBroken()) {
      // From here on nothing is stamped, and what was is told.
      reportIndices();
      log.end(this, deferral);
    }
  }

  /** Blocks from the given one on accessed elements in no order that was recognised. */
  @Override
  protected void elements(
      Object array, int[] indices, int count, int first, boolean isWrite, int site) {
    Kind kind = isWrite ? Kind.WRITE : Kind.READ;
    ArrayShadow shadow = shadow(array);
    int[] exact = inside(indices, count, shadow.length());
    if (exact.length == 0) {
      return;
    }
    int access = access(site, kind);
    Deferral deferral = detector.deferral();
    if (deferral != null && isUntouched(deferral.loop)) {
      log.add(shadow, exact, first, access, kind.isWrite());
      if (locks() == 0) {
        stamped.listed(deferral.loop, exact.length, shadow, site, kind);
      }
      listed(deferral);
      return;
    }
    if (deferral != null) {
      detector.breakUp(deferral, this);
    }
    Arrays.sort(exact);
    Coverage coverage = coverage(shadow, kind, locks());
    int from = exact[0];
    int to = from;
    for (int index : exact) {
      if (index > to) {
        add(coverage, from, to, access);
        from = index;
      }
      to = index + 1;
    }
    add(coverage, from, to, access);
  }

  /** What stands for elements in no order: nothing, or stamps if there are many. */
  @Override
  protected @Nullable Stamps stamps(Object array, boolean isWrite, int site) {
    Deferral deferral = detector.deferral();
    if (deferral == null
        || deferral.isBroken()
        || locks() != 0
        || !isIn(deferral)
        || log.hasEnded(tag)) {
      return null;
    }
    Kind kind = isWrite ? Kind.WRITE : Kind.READ;
    Stamped found = stamped.find(array, site, kind);
    if (found == null || !found.isReady()) {
      return null;
    }
    if (!found.isOpen()) {
      found.begin(deferral.loop.tag(), access(site, kind));
      log.add(found);
    }
    return found;
  }

  /** Whether this is an iteration of the loop, and nothing besides. */
  boolean isIn(Deferral deferral) {
    return isUntouched(deferral.loop);
  }

  /** The indices that are less than a length, in their order; numbers below 0 stay, too. */
  private static int[] inside(int[] indices, int count, int length) {
    int greatest = -1;
    for (int i = 0; i < count; i++) {
      greatest = Math.max(greatest, indices[i]);
    }
    return greatest < length
        ? Arrays.copyOf(indices, count)
        : Arrays.stream(indices, 0, count).filter(index -> index < length).toArray();
  }

  private void tell(ArrayShadow shadow, int from, int to, int access) {
    tell(shadow, from, to, 1, access);
  }

  /** Checks a range against what the shadow knows. */
  void tell(ArrayShadow shadow, int from, int to, int stride, int access) {
    if (detector.isBundle(access)) {
      forEachPart(
          access, from, to, stride, (low, end, by, each) -> tell(shadow, low, end, by, each));
    } else {
      shadow.add(
          this,
          from,
          to,
          stride,
          access,
          detector.kind(access),
          (tag, source, sink, index) ->
              detector.foundElement(this, tag, source, sink, index, shadow::refersTo));
    }
  }

  private interface Part {
    void accept(int from, int to, int stride, int access);
  }

  /** What the statements of a bundle did, which held no locks. */
  private void forEachPart(int access, int from, int to, int stride, Part action) {
    detector
        .bundleOf(access)
        .forEach(
            from,
            to,
            stride,
            (low, end, by, each) ->
                action.accept(low, end, by, detector.access(each.site(), kind(each), 0)));
  }

  private static Kind kind(Bundle.Statement statement) {
    return statement.isWrite() ? Kind.WRITE : Kind.READ;
  }

  /** The ranges; where one is of a bundle, those of its statements. */
  List<Range> parts(List<Range> ranges) {
    List<Range> parts = new ArrayList<>();
    for (Range range : ranges) {
      if (detector.isBundle(range.access())) {
        forEachPart(
            range.access(),
            range.from(),
            range.to(),
            range.stride(),
            (from, to, stride, access) ->
                parts.add(new Range(from, to, stride, range.tag(), access)));
      } else {
        parts.add(range);
      }
    }
    return parts;
  }

  /** Iterations of a loop that is over were in conflict. */
  void found(int sourceTag, int source, int sink, int index) {
    detector.foundElement(this, sourceTag, source, sink, index, each -> false);
  }

  /** The number of an access by this block. */
  int access(int site, Kind kind) {
    nameIfLost(site);
    int key = site * 8 + kind.ordinal();
    int slot = key & (ACCESSES - 1);
    if (accessKeys[slot] != key || accessLocks[slot] != locks()) {
      accessNumbers[slot] = detector.access(site, kind, locks());
      accessKeys[slot] = key;
      accessLocks[slot] = locks();
    }
    return accessNumbers[slot];
  }

  /**
   * Code of a thread whose beginning was not seen, as that of a cleaner: it may run beside loops
   * that are taken to be alone, so that what it accesses at all prevents validation.
   */
  void nameIfLost(int site) {
    if (fork() == Fork.NOWHERE) {
      detector.outside(site);
    }
  }

  ArrayShadow shadow(Object array) {
    return shadows.of(array);
  }
}
