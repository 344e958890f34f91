package org.reprise.anomaly.agent.detect;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.BaseStream;
import org.jspecify.annotations.Nullable;
import org.reprise.anomaly.agent.block.Fork;
import org.reprise.anomaly.agent.block.Release;
import org.reprise.anomaly.agent.block.ThreadOrder;
import org.reprise.anomaly.agent.detect.history.AccessHistory;
import org.reprise.anomaly.agent.detect.history.AccessSets;
import org.reprise.anomaly.agent.detect.history.Accesses;
import org.reprise.anomaly.agent.detect.history.FieldHistories;
import org.reprise.anomaly.agent.detect.history.Handover;
import org.reprise.anomaly.agent.detect.history.IdentityTable;
import org.reprise.anomaly.agent.detect.history.Kind;
import org.reprise.anomaly.agent.detect.history.ObjectShadow;
import org.reprise.anomaly.agent.detect.history.SplitResults;
import org.reprise.anomaly.agent.detect.library.LockOrder;
import org.reprise.anomaly.agent.detect.library.LockSets;
import org.reprise.anomaly.agent.detect.library.Publications;
import org.reprise.anomaly.agent.detect.library.Publications.Condition;
import org.reprise.anomaly.agent.detect.library.Reachable;
import org.reprise.anomaly.agent.detect.library.ShortCircuit;
import org.reprise.anomaly.agent.detect.listing.Listings;
import org.reprise.anomaly.agent.detect.listing.Routes;
import org.reprise.anomaly.agent.instrument.program.Bundle;
import org.reprise.anomaly.agent.instrument.program.Hazards;
import org.reprise.anomaly.agent.instrument.program.Scope;
import org.reprise.anomaly.agent.instrument.program.Site;
import org.reprise.anomaly.agent.instrument.program.Sites;
import org.reprise.anomaly.agent.instrument.program.Variables;
import org.reprise.anomaly.agent.report.Findings;
import org.reprise.anomaly.hooks.Context;
import org.reprise.anomaly.hooks.Detector;
import org.reprise.anomaly.hooks.Route;
import org.reprise.anomaly.report.AnomalyJson;
import org.reprise.anomaly.report.AnomalyText;
import org.reprise.anomaly.report.AnomalyVerdict;
import org.reprise.anomaly.report.Mask;
import org.reprise.anomaly.report.Obstacle;

/** Checks each access against those before it: the access anomalies of the program under test. */
public final class AnomalyDetector extends Detector {
  /** Classes that leave {@code hashCode} as {@link Object} has it. */
  private static final ClassValue<Boolean> HAS_ADDRESS_AS_HASH = leaves("hashCode");

  /** Classes that leave {@code toString} as {@link Object} has it. */
  private static final ClassValue<Boolean> HAS_ADDRESS_AS_TEXT = leaves("toString");

  private static ClassValue<Boolean> leaves(String method) {
    return new ClassValue<>() {
      @Override
      protected Boolean computeValue(Class<?> type) {
        try {
          return type.getMethod(method).getDeclaringClass() == Object.class;
        } catch (NoSuchMethodException e) {
          return true;
        }
      }
    };
  }

  private final Sites sites;
  private final Variables variables;
  private final Findings findings;
  private final boolean keepsStacks;

  private final Accesses accesses = new Accesses();
  private final AccessSets accessSets = new AccessSets();
  private final LockSets locks = new LockSets();
  private final LockOrder lockOrder = new LockOrder(locks, Stacks::place);
  private final IdentityTable<Object, ArrayShadow> arrays = new IdentityTable<>();
  private final FieldHistories fields = new FieldHistories();
  private final AtomicInteger neighbourhoods = new AtomicInteger();
  private final Publications publications = new Publications(locks);
  private final Listings listings = new Listings();
  private final Routes routes = new Routes();

  /** Of locks, and of what accesses variables past the checks; its own is for fences. */
  private final IdentityTable<Object, Handover> handovers = new IdentityTable<>();

  private final LibraryObjects library;
  private final Outsiders outsiders;
  private final ConflictReports reports;
  private final Checkers checkers;

  /** The loop whose accesses are deferred; null if there is none. */
  private volatile @Nullable Deferral deferral;

  private Function<ThreadOrder, AnomalyVerdict> verdicts =
      threadOrder -> new Findings().verdict(Mask.NONE);

  /** Of a program of which every class is instrumented. */
  AnomalyDetector(Sites sites, Variables variables, Findings findings, boolean keepsStacks) {
    this(sites, variables, findings, new Outsiders(Scope.everything(), findings), keepsStacks);
  }

  public AnomalyDetector(
      Sites sites,
      Variables variables,
      Findings findings,
      Outsiders outsiders,
      boolean keepsStacks) {
    this.outsiders = outsiders;
    this.sites = sites;
    this.variables = variables;
    this.findings = findings;
    this.keepsStacks = keepsStacks;
    this.reports = new ConflictReports(sites, accesses, locks, findings);
    this.library = new LibraryObjects(this, sites, findings, locks, publications);
    this.checkers = new Checkers(this);
  }

  /** Where the verdict comes from that {@link #takeVerdict} gives, to the thread that asks. */
  public void takeVerdictsFrom(Function<ThreadOrder, AnomalyVerdict> source) {
    verdicts = source;
  }

  /** Where new threads ask for the fork that started them. */
  public void findForksWith(Function<Thread, @Nullable Fork> finder) {
    checkers.findForksWith(finder);
  }

  /** The thread of the program's first thread, which creates the detector. */
  public Checker first() {
    return checkers.first();
  }

  /**
   * The threads that carry virtual ones, and wake them, run nothing of the program's. They must not
   * wait for a lock of ours either: who has it may be a virtual thread that waits for them.
   */
  @Override
  public Context newContext() {
    Thread thread = Thread.currentThread();
    boolean carries =
        thread.getClass().getName().equals("jdk.internal.misc.CarrierThread")
            || thread.getName().startsWith("VirtualThread-un");
    return carries ? super.newContext() : checkers.current();
  }

  /** The thread of a thread that executes what was forked. */
  Checker checker(Fork fork) {
    return checkers.add(fork, Thread.currentThread());
  }

  /** A thread has died, and there is nothing left to learn from it. */
  void forget(Checker checker) {
    checkers.forget(checker);
  }

  /** The program ends: what threads still remember is checked, too. */
  public void finish() {
    if (!tellAll()) {
      obstacle("the program's first thread, which still runs when the program ends", "");
    }
  }

  /** What threads remember is checked, as far as they stand still; false if the first does not. */
  private boolean tellAll() {
    ThreadStillness rest = new ThreadStillness();
    boolean isFirstAtRest = true;
    for (Checker checker : checkers.all()) {
      try {
        checker.settle(checkers.current());
        boolean isAtRest = checker.finish(rest);
        isFirstAtRest &= isAtRest || checker != checkers.first();
      } catch (RuntimeException e) {
        failed(e);
      }
    }
    return isFirstAtRest;
  }

  @Override
  public void readElement(Object array, int index, int site, Context context) {
    ((Checker) context).element(array, index, site, Kind.READ);
  }

  @Override
  public void writeElement(Object array, int index, int site, Context context) {
    ((Checker) context).element(array, index, site, Kind.WRITE);
  }

  @Override
  public void readRange(Object array, int from, int to, int stride, int site, Context context) {
    range(array, from, to, stride, site, (Checker) context, Kind.READ);
  }

  @Override
  public void writeRange(Object array, int from, int to, int stride, int site, Context context) {
    range(array, from, to, stride, site, (Checker) context, Kind.WRITE);
  }

  private void range(
      Object array, int from, int to, int stride, int site, Checker checker, Kind kind) {
    if (stride > 0 && from < to) {
      checker.run(array, from, to, stride, site, kind);
    } else if (stride < 0 && from > to) {
      int steps = (from - to - 1) / -stride;
      checker.run(array, from + steps * stride, from + 1, -stride, site, kind);
    }
  }

  @Nullable Deferral deferral() {
    return deferral;
  }

  /** What iterations go through again and again. */
  Listings listings() {
    return listings;
  }

  @Override
  public @Nullable Route route(
      int[][] rows, int @Nullable [] numbers, int from, int to, int low, int high) {
    return routes.of(rows, numbers, from, to, low, high);
  }

  Kind kind(int access) {
    return accesses.get(access).kind();
  }

  boolean isBundle(int access) {
    return Bundle.is(accesses.get(access).site());
  }

  /** The statements whose access it is. */
  Bundle bundleOf(int access) {
    return bundle(accesses.get(access).site());
  }

  Bundle bundle(int site) {
    return sites.bundle(site);
  }

  /** A loop begins, and nothing runs beside it. */
  void defer(Fork loop) {
    if (!keepsStacks) {
      deferral = new Deferral(loop);
    }
  }

  /** Somebody accesses an array who is no iteration of the loop. */
  void breakUp(Deferral broken, Checker by) {
    broken.breakUp(by, checkers.all());
  }

  /** The iterations of a loop, or a task, have ended. */
  void joining(Fork forked, Checker by) {
    Deferral deferred = deferral;
    if (deferred != null && deferred.loop == forked) {
      JoinedLoop joined = deferred.join(by, checkers.all());
      deferral = null;
      if (joined != null) {
        by.joined(joined);
      }
    }
  }

  /** Looks at a loop that is over, one at a time: the places of arrays are marked for that. */
  synchronized void check(JoinedLoop loop, Checker by) {
    try {
      loop.check(by, accesses);
    } catch (RuntimeException e) {
      failed(e);
    }
  }

  /** The shadow of an array; a new one is added to those that the asking thread made before. */
  ArrayShadow shadow(Object array, Neighbours neighbours) {
    return arrays.get(array, key -> neighbours.add(key, accesses, accessSets));
  }

  /** Room for shadows that one thread makes. */
  Neighbours newNeighbours() {
    return new Neighbours(neighbourhoods.getAndIncrement());
  }

  @Override
  public void readField(Object object, int variable, int site, Context context) {
    field(object, variable, site, (Checker) context, Kind.READ);
  }

  @Override
  public void writeField(Object object, int variable, int site, Context context) {
    field(object, variable, site, (Checker) context, Kind.WRITE);
  }

  @Override
  public void readFields(Object object, int[] read, int group, Context context) {
    Checker checker = (Checker) context;
    ObjectShadow shadow = fields.of(object);
    if (shadow.isReadByMany(group, checker) || shadow.isConfinedTo(checker)) {
      return;
    }
    boolean isByMany = true;
    for (int i = 0; i < read.length; i += 2) {
      AccessHistory history = shadow.field(read[i]);
      isByMany &= access(history, object, read[i], read[i + 1], checker, Kind.READ);
    }
    if (isByMany) {
      shadow.readByMany(group, checker);
    }
  }

  private void field(Object object, int variable, int site, Checker checker, Kind kind) {
    ObjectShadow shadow = fields.of(object);
    if (!shadow.isConfinedTo(checker)) {
      access(shadow.field(variable), object, variable, site, checker, kind);
    }
  }

  @Override
  public void confine(Object object, Context context) {
    Checker checker = (Checker) context;
    if (checker.fork() == null) {
      // The first thread need not say that it does so, and what it shares must be seen.
      return;
    }
    checker.checkAtOnce();
    Reachable.from(object).forEach(each -> confine(each, checker));
  }

  private void confine(Object object, Checker checker) {
    if (object.getClass().isArray()) {
      checker.shadow(object).confine(checker);
    } else {
      fields.of(object).confine(checker);
    }
  }

  @Override
  public void readStatic(int variable, int site, Context context) {
    if (access(fields.ofStatic(variable), null, variable, site, (Checker) context, Kind.READ)
        && context.loop != 0) {
      context.readByMany(site);
    }
  }

  @Override
  public void writeStatic(int variable, int site, Context context) {
    access(fields.ofStatic(variable), null, variable, site, (Checker) context, Kind.WRITE);
  }

  /** Returns whether so many iterations have done the same that more add nothing. */
  private boolean access(
      AccessHistory history,
      @Nullable Object object,
      int variable,
      int site,
      Checker checker,
      Kind kind) {
    return history.add(
        checker,
        checker.access(site, kind),
        kind,
        -1,
        accesses,
        (tag, source, sink, index) ->
            reports.field(checker, tag, source, sink, variables.get(variable), object));
  }

  @Override
  public void call(Object receiver, int site, Context context) {
    library.call(receiver, null, site, (Checker) context);
  }

  @Override
  public void called(Object receiver, @Nullable Object part, int site, Context context) {
    library.called(receiver, part, site, (Checker) context);
  }

  @Override
  public void callPart(Object receiver, Object part, int site, Context context) {
    library.call(receiver, part, site, (Checker) context);
  }

  @Override
  public void took(Object element, Object queue, int site, Context context) {
    library.took(element, queue, site, (Checker) context);
  }

  @Override
  public void put(boolean isAccepted, Object queue, Context context) {
    library.put(isAccepted, queue, (Checker) context);
  }

  @Override
  public Collection<?> drain(Collection<?> into, Object queue, Context context) {
    return library.drain(into, queue, (Checker) context);
  }

  @Override
  public void view(Object view, Object receiver, int site, Context context) {
    library.view(view, receiver, site);
  }

  /** An element of the stream is taken out of its source; false if that is no collection. */
  public boolean readSource(Object stream, ThreadOrder threadOrder) {
    return library.readSource(stream, (Checker) threadOrder);
  }

  @Override
  public void publish(
      @Nullable Object object, int variable, long before, long after, Context context) {
    Checker checker = (Checker) context;
    Release release =
        publications.publish(object, variable, before, after, checker.openWrites, checker);
    history(object, variable).handover().release(checker, release);
  }

  @Override
  public void write(
      @Nullable Object object, int variable, long before, long after, Context context) {
    Checker checker = (Checker) context;
    publications.write(object, variable, before, after, checker.openWrites, checker);
  }

  @Override
  public void wakesAll(Object signal, Context context) {
    Publications.wakesAll(signal, ((Checker) context).openWrites);
  }

  /** After the read: a write that it saw is on record by now. */
  @Override
  public void readVolatile(@Nullable Object object, int variable, int site, Context context) {
    Checker checker = (Checker) context;
    AccessHistory history = history(object, variable);
    access(history, object, variable, site, checker, Kind.READ);
    checker.see(history.handover().before(checker));
  }

  private AccessHistory history(@Nullable Object object, int variable) {
    return object == null ? fields.ofStatic(variable) : fields.of(object).field(variable);
  }

  /** The loop is left with the read of the variable that is on record here, and with no other. */
  @Override
  public void left(
      @Nullable Object object,
      int variable,
      int site,
      int test,
      long other,
      @Nullable Object signal,
      Context context) {
    Checker checker = (Checker) context;
    checker.renew();
    checker.waitsIn(signal == null ? null : lockOf(signal));
    publications.left(object, variable, new Condition(test, other, signal), checker);
    checker.waitsIn(null);
    if (variable == ATOMIC_VALUE) {
      Object atomic = Objects.requireNonNull(object);
      library.call(atomic, null, site, checker);
      library.called(atomic, null, site, checker);
    } else if (variables.get(variable).isVolatile()) {
      readVolatile(object, variable, site, checker);
    } else if (object == null) {
      readStatic(variable, site, checker);
    } else {
      readField(object, variable, site, checker);
    }
  }

  @Override
  public String takeVerdict() {
    return AnomalyJson.of(nextVerdict());
  }

  @Override
  public List<String> takeVerdictLines() {
    AnomalyVerdict verdict = nextVerdict();
    List<String> lines = new ArrayList<>(List.of(verdict.word().text()));
    lines.addAll(AnomalyText.of(verdict));
    return lines;
  }

  private AnomalyVerdict nextVerdict() {
    tellAll();
    return verdicts.apply(checkers.current());
  }

  @Override
  public void enter(Object lock, Context context) {
    enter(lock, true, context);
  }

  @Override
  public void tried(Object lock, Context context) {
    enter(lock, false, context);
  }

  /** The block has the lock; only who would have waited for it may wait for ever. */
  private void enter(Object lock, boolean mayWait, Context context) {
    if (!(context instanceof Checker checker)) {
      return;
    }
    Object held = lockOf(lock);
    if (checker.on && lock != ShortCircuit.MARK) {
      int number = locks.number(held, isShared(lock));
      checker.entered(held, handover(held).before(checker), lockOrder.holders(number, checker));
      if (mayWait) {
        lockOrder
            .takes(checker.locks(), number, checker)
            .ifPresent(cycle -> obstacle(cycle, Stacks.place()));
      }
    } else {
      checker.changingLocks();
    }
    checker.hold(locks.enter(checker.locks(), held, isShared(lock)));
  }

  @Override
  public void exit(Object lock, Context context) {
    if (!(context instanceof Checker checker)) {
      return;
    }
    Object held = lockOf(lock);
    if (checker.on && lock != ShortCircuit.MARK) {
      giveBack(held, checker);
      checker.leavingLock(held);
    } else {
      checker.changingLocks();
    }
    checker.hold(locks.exit(checker.locks(), held, isShared(lock)));
  }

  @Override
  public void waits(Object lock, Context context) {
    giveBack(lockOf(lock), (Checker) context);
  }

  private void giveBack(Object lock, Checker checker) {
    Release release = checker.release();
    handover(lock).release(checker, release);
    Publications.giveBack(release, checker.openWrites);
  }

  @Override
  public void waited(Object lock, Context context) {
    Checker checker = (Checker) context;
    checker.see(handover(lockOf(lock)).before(checker));
  }

  private Handover handover(Object lock) {
    return handovers.get(lock, any -> new Handover());
  }

  /** Whether others may hold the lock at the same time: the read side of a lock with two. */
  private static boolean isShared(Object lock) {
    return lock == ShortCircuit.MARK
        || lock instanceof Lock && lock.getClass().getName().contains("ReadLock");
  }

  /** The lock that a read or write lock is a side of. */
  private Object lockOf(Object lock) {
    return library.backing(lock);
  }

  @Override
  public void initialize(boolean begins, Context context) {
    if (!(context instanceof Checker checker)) {
      return;
    }
    if (begins) {
      checker.pushUnchecked();
    } else if (checker.popUnchecked()) {
      // Whoever uses the class is after that, but who does is not followed.
      obstacle("the initialiser of a class that forks or waits beside others", Stacks.place());
    }
  }

  @Override
  public void hazard(int site, Context context) {
    if (((Checker) context).fork() == null) {
      // The first thread does it on every schedule, and no other in its place.
      return;
    }
    obstacle(site, context);
  }

  @Override
  public void hash(Object object, int site, Context context) {
    if (HAS_ADDRESS_AS_HASH.get(object.getClass())) {
      hazard(site, context);
    }
  }

  @Override
  public void text(Object object, int site, Context context) {
    if (HAS_ADDRESS_AS_TEXT.get(object.getClass())) {
      hazard(site, context);
    }
  }

  @Override
  public void binds(Object object, Context context) {
    ((Checker) context).bind(object);
  }

  @Override
  public void releases(@Nullable Object object, Context context) {
    Checker checker = (Checker) context;
    handover(object == null ? handovers : object).release(checker, checker.release());
  }

  @Override
  public void acquires(@Nullable Object object, Context context) {
    Checker checker = (Checker) context;
    checker.see(handover(object == null ? handovers : object).before(checker));
  }

  @Override
  public void gives(Object receiver, Object function, Context context) {
    ((Checker) context).openCalls.give(receiver, function);
  }

  @Override
  public void question(int site, Context context) {
    if (((Checker) context).isBeside()) {
      obstacle(site, context);
    }
  }

  @Override
  public void outside(int number, Context context) {
    if (((Checker) context).isBeside()) {
      outsiders.ran(number);
    }
  }

  @Override
  public void obstacle(int site, Context context) {
    Site where = sites.get(site);
    if (where.variable().endsWith(Hazards.NOT_INSTRUMENTED)) {
      String called = where.call();
      findings.addCalled(Outsiders.packageOf(called.substring(0, called.lastIndexOf('.'))));
    }
    obstacle(where.variable(), where.place());
  }

  @Override
  public void reduce(Object stream, int site, Context context) {
    if (stream instanceof BaseStream<?, ?> elements && elements.isParallel()) {
      SplitResults.add(sites.get(site), ((Checker) context).lineage(context.tag), findings);
    }
  }

  @Override
  public void failed(Throwable fault) {
    obstacle("a fault in Reprise: " + fault, Stacks.place());
  }

  /** Something prevents validation. */
  public void obstacle(String what, String place) {
    findings.add(new Obstacle(what, place));
  }

  /** Code runs where no block is followed. */
  void outside(int site) {
    obstacle(ConflictReports.OUTSIDE, sites.get(site).place());
  }

  int access(int site, Kind kind, int held) {
    int number = accesses.number(site, kind, held);
    if (kind.isWrite() && locks.isShortCircuit(held)) {
      obstacle(
          "a write in a short-circuiting stream, which may leave this element out",
          sites.get(site).place());
    }
    if (keepsStacks) {
      reports.keepStack(number);
    }
    return number;
  }

  /** The histories of a library object. */
  ObjectShadow objectShadow(Object object) {
    return fields.of(object);
  }

  /** The checker's block accesses a part of a library object. */
  void accessPart(
      Object object,
      AccessHistory history,
      String suffix,
      Kind kind,
      boolean isSynchronised,
      int held,
      int site,
      Checker checker) {
    checker.nameIfLost(site);
    history.add(
        checker,
        access(site, kind, held),
        kind,
        -1,
        accesses,
        (tag, source, sink, index) ->
            reports.part(
                checker, tag, source, sink, suffix, isSynchronised, each -> each == object));
  }

  /**
   * The checker's block accesses a file; with a mark, through a stream. Who uses the same stream is
   * in conflict about that already.
   */
  void accessFile(
      AccessHistory history,
      String suffix,
      @Nullable Object mark,
      Kind kind,
      int held,
      int site,
      Checker checker) {
    checker.nameIfLost(site);
    history.add(
        checker,
        access(site, kind, held),
        kind,
        -1,
        accesses,
        (tag, source, sink, index) -> {
          if (mark == null || !locks.contains(accesses.get(source).locks(), mark)) {
            reports.file(checker, tag, source, sink, suffix);
          }
        });
  }

  /** The checker's block accesses an element that an earlier block accessed. */
  void foundElement(
      Checker checker, int tag, int source, int sink, int index, Predicate<Object> array) {
    String part = index < 0 ? "" : "[" + index + "]";
    reports.part(checker, tag, source, sink, part, false, array);
  }
}
