package org.reprise.anomaly.agent.detect;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.Lock;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.BaseStream;
import org.jspecify.annotations.Nullable;
import org.reprise.anomaly.agent.block.Fork;
import org.reprise.anomaly.agent.block.OpenForks;
import org.reprise.anomaly.agent.block.Strand;
import org.reprise.anomaly.agent.block.Tags;
import org.reprise.anomaly.agent.instrument.Site;
import org.reprise.anomaly.agent.instrument.Sites;
import org.reprise.anomaly.agent.instrument.Variable;
import org.reprise.anomaly.agent.instrument.Variables;
import org.reprise.anomaly.agent.report.Finding;
import org.reprise.anomaly.agent.report.Findings;
import org.reprise.anomaly.agent.report.Mask;
import org.reprise.anomaly.agent.report.Obstacle;
import org.reprise.anomaly.agent.report.Verdict;
import org.reprise.anomaly.agent.report.VerdictJson;
import org.reprise.anomaly.agent.report.VerdictText;
import org.reprise.anomaly.hooks.Context;
import org.reprise.anomaly.hooks.Detector;

/** Checks each access against those before it: the access anomalies of the program under test. */
public final class AnomalyDetector extends Detector {
  private static final int STATIC_PAGES = 1 << 12;
  private static final int PAGE_SIZE = 1 << 10;

  private final Sites sites;
  private final Variables variables;
  private final Findings findings;
  private final boolean keepsStacks;

  private final Tags tags = new Tags();
  private final OpenForks open = new OpenForks();
  private final Accesses accesses = new Accesses();
  private final AccessSets accessSets = new AccessSets();
  private final LockSets locks = new LockSets();
  private final IdentityTable<Object, ArrayShadow> arrays = new IdentityTable<>();
  private final IdentityTable<Object, ObjectShadow> objects = new IdentityTable<>();
  private final Publications publications = new Publications(this::obstacle);
  private final LibraryObjects library;

  private final AtomicReferenceArray<@Nullable AccessHistory @Nullable []> statics =
      new AtomicReferenceArray<>(STATIC_PAGES);
  private final ConcurrentHashMap<Integer, List<String>> stacks = new ConcurrentHashMap<>();

  /** Every thread's checker, so that the last accesses are not lost when the program ends. */
  private final Set<Checker> checkers = new HashSet<>();

  /** When there are as many, those of threads that have died are looked for. */
  private int checkersMax = 64;

  private final IdentityTable<Thread, Checker> ofThreads = new IdentityTable<>();

  /** The loop whose accesses are deferred; null if there is none. */
  private volatile @Nullable Deferral deferral;

  private int deferrals;

  private final Thread firstThread = Thread.currentThread();
  private final Checker first;
  private Supplier<Verdict> verdicts = () -> Verdict.of(new Findings(), Mask.NONE);
  private Function<Thread, @Nullable Fork> forkOfThread = thread -> null;

  public AnomalyDetector(Sites sites, Variables variables, Findings findings, boolean keepsStacks) {
    this.sites = sites;
    this.variables = variables;
    this.findings = findings;
    this.keepsStacks = keepsStacks;
    this.library = new LibraryObjects(this, sites, findings, locks, publications);
    this.first = new Checker(this, tags, open);
    checkers.add(first);
  }

  /** Where the verdict comes from that {@link #takeVerdict} gives. */
  public void takeVerdictsFrom(Supplier<Verdict> source) {
    verdicts = source;
  }

  /** Where new threads ask for the fork that started them. */
  public void findForksWith(Function<Thread, @Nullable Fork> finder) {
    forkOfThread = finder;
  }

  /** The strand of the program's first thread, which creates the detector. */
  public Checker first() {
    return first;
  }

  @Override
  public Context newContext() {
    if (Thread.currentThread() == firstThread) {
      return first;
    }
    // Workers of the common pool lose their thread locals after each task.
    return ofThreads.get(
        Thread.currentThread(),
        thread -> {
          Fork fork = forkOfThread.apply(thread);
          return checker(fork == null ? Fork.NOWHERE : fork, thread);
        });
  }

  /** The strand of a thread that executes what was forked. */
  Checker checker(Fork fork) {
    return checker(fork, Thread.currentThread());
  }

  private Checker checker(Fork fork, Thread thread) {
    Checker checker = new Checker(this, tags, open, fork, thread);
    synchronized (checkers) {
      if (checkers.size() >= checkersMax) {
        checkers.removeIf(Checker::isOver);
        checkersMax = Math.max(checkersMax, 2 * checkers.size());
      }
      checkers.add(checker);
    }
    return checker;
  }

  /** A thread has died, and there is nothing left to learn from it. */
  void forget(Checker checker) {
    synchronized (checkers) {
      checkers.remove(checker);
    }
  }

  /** The program ends: what threads still remember is checked, too. */
  public void finish() {
    List<Checker> all;
    synchronized (checkers) {
      all = List.copyOf(checkers);
    }
    all.forEach(Checker::leaving);
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

  @Override
  public void readElements(
      Object array, int[] indices, int count, int tag, int site, Context context) {
    ((Checker) context).elements(array, indices, count, tag, site, Kind.READ);
  }

  @Override
  public void writeElements(
      Object array, int[] indices, int count, int tag, int site, Context context) {
    ((Checker) context).elements(array, indices, count, tag, site, Kind.WRITE);
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

  Accesses accesses() {
    return accesses;
  }

  Kind kind(int access) {
    return accesses.get(access).kind();
  }

  /** A loop begins, and nothing runs beside it. */
  void defer(Fork loop) {
    if (!keepsStacks) {
      deferral = new Deferral(loop, ++deferrals & Deferral.NUMBER_MAX);
    }
  }

  /** Somebody accesses an array who is no iteration of the loop. */
  void breakUp(Deferral broken, Checker by) {
    broken.breakUp(by, allCheckers());
  }

  /** The iterations of a loop, or a task, have ended. */
  void joining(Fork forked, Checker by) {
    Deferral joined = deferral;
    if (joined != null && joined.loop == forked) {
      joined.join(by, allCheckers(), accesses);
      deferral = null;
    }
  }

  private List<Checker> allCheckers() {
    synchronized (checkers) {
      return List.copyOf(checkers);
    }
  }

  ArrayShadow shadow(Object array) {
    return arrays.get(array, key -> new ArrayShadow(Array.getLength(key), accesses, accessSets));
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
  public void readFields(Object object, int[] fields, int group, Context context) {
    Checker checker = (Checker) context;
    // Groups share a table with accesses, which are positive; locks belong to an access.
    boolean isCached = checker.locks == 0;
    if (isCached && checker.isReadByMany(object, -group)) {
      return;
    }
    boolean isByMany = true;
    ObjectShadow shadow = objects.get(object, any -> new ObjectShadow());
    for (int i = 0; i < fields.length; i += 2) {
      int access = checker.access(fields[i + 1], Kind.READ);
      isByMany &= access(shadow.field(fields[i]), fields[i], access, checker, Kind.READ);
    }
    if (isCached && isByMany) {
      checker.readByMany(object, -group);
    }
  }

  private void field(Object object, int variable, int site, Checker checker, Kind kind) {
    int access = checker.access(site, kind);
    if (checker.isReadByMany(object, access)) {
      return;
    }
    AccessHistory history = objects.get(object, any -> new ObjectShadow()).field(variable);
    if (access(history, variable, access, checker, kind) && !kind.isWrite()) {
      checker.readByMany(object, access);
    }
  }

  @Override
  public void readStatic(int variable, int site, Context context) {
    staticField(variable, site, (Checker) context, Kind.READ);
  }

  @Override
  public void writeStatic(int variable, int site, Context context) {
    staticField(variable, site, (Checker) context, Kind.WRITE);
  }

  private synchronized AccessHistory staticHistory(int variable) {
    AccessHistory[] page = statics.get(variable / PAGE_SIZE);
    if (page == null) {
      page = new AccessHistory[PAGE_SIZE];
      statics.set(variable / PAGE_SIZE, page);
    }
    AccessHistory history = page[variable % PAGE_SIZE];
    if (history == null) {
      history = new AccessHistory();
      page[variable % PAGE_SIZE] = history;
    }
    return history;
  }

  private void staticField(int variable, int site, Checker checker, Kind kind) {
    access(staticHistory(variable), variable, checker.access(site, kind), checker, kind);
  }

  private boolean access(
      AccessHistory history, int variable, int access, Checker checker, Kind kind) {
    return history.add(
        checker,
        access,
        kind,
        -1,
        accesses,
        (tag, source, sink, index) -> {
          Variable field = variables.get(variable);
          found(
              checker,
              tag,
              source,
              sink,
              field.text(),
              field.className() + "." + field.field(),
              -1,
              field.isVolatile());
        });
  }

  @Override
  public void call(Object receiver, int site, Context context) {
    library.call(receiver, null, site, (Checker) context);
  }

  @Override
  public void callPart(Object receiver, Object part, int site, Context context) {
    library.call(receiver, part, site, (Checker) context);
  }

  @Override
  public void took(Object queue, int site, Context context) {
    library.took(queue, (Checker) context);
  }

  @Override
  public void view(Object view, Object receiver, int site, Context context) {
    library.view(view, receiver, site);
  }

  /** An element of the stream is taken out of its source; false if that is no collection. */
  public boolean readSource(Object stream, Strand strand) {
    return library.readSource(stream, (Checker) strand);
  }

  @Override
  public void publish(@Nullable Object object, int variable, Context context) {
    publications.publish(object, variable, (Checker) context);
  }

  @Override
  public void spin(@Nullable Object object, int variable, int site, Context context) {
    Checker checker = (Checker) context;
    checker.spin(object, variable, () -> waited(object, variable, site, checker));
  }

  /** A loop that waits for the variable is over. */
  private void waited(@Nullable Object object, int variable, int site, Checker checker) {
    boolean isKnown = publications.waited(object, variable, checker, sites.get(site));
    if (isKnown) {
      return;
    }
    if (object == null) {
      readStatic(variable, site, checker);
    } else if (variable == ATOMIC_VALUE) {
      library.call(object, null, site, checker);
    } else {
      readField(object, variable, site, checker);
    }
  }

  @Override
  public String takeVerdict() {
    finish();
    return VerdictJson.of(verdicts.get());
  }

  @Override
  public List<String> takeVerdictLines() {
    finish();
    Verdict verdict = verdicts.get();
    List<String> lines = new ArrayList<>(List.of(verdict.word().text()));
    lines.addAll(VerdictText.of(verdict));
    return lines;
  }

  @Override
  public void enter(Object lock, Context context) {
    if (!(context instanceof Checker checker)) {
      return;
    }
    checker.changingLocks();
    checker.locks = locks.enter(checker.locks, lockOf(lock), isShared(lock));
  }

  @Override
  public void exit(Object lock, Context context) {
    if (!(context instanceof Checker checker)) {
      return;
    }
    checker.changingLocks();
    checker.locks = locks.exit(checker.locks, lockOf(lock), isShared(lock));
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
    } else {
      checker.popUnchecked();
    }
  }

  @Override
  public void hazard(int site, Context context) {
    if (((Checker) context).fork() == null) {
      // The first thread does it on every schedule, and no other in its place.
      return;
    }
    Site where = sites.get(site);
    obstacle(where.variable(), where.place());
  }

  @Override
  public void reduce(Object stream, int site, Context context) {
    if (stream instanceof BaseStream<?, ?> elements && elements.isParallel()) {
      SplitResults.add(sites.get(site), ((Checker) context).describe(context.tag), findings);
    }
  }

  @Override
  public void failed(Throwable fault) {
    obstacle("a fault in Reprise: " + fault, Stacks.place());
  }

  /** Something stands in the way of "validated". */
  public void obstacle(String what, String place) {
    findings.add(new Obstacle(what, place));
  }

  int access(int site, Kind kind, int held) {
    int number = accesses.number(site, kind, held);
    if (kind.isWrite() && locks.isShortCircuit(held)) {
      obstacle(
          "a write in a short-circuiting stream, which may leave this element out",
          sites.get(site).place());
    }
    if (keepsStacks) {
      stacks.computeIfAbsent(number, any -> Stacks.ofProgram());
    }
    return number;
  }

  /** The histories of a library object. */
  ObjectShadow objectShadow(Object object) {
    return objects.get(object, any -> new ObjectShadow());
  }

  /** The checker's block accesses a part of a library object. */
  void accessPart(
      AccessHistory history, String suffix, Kind kind, int held, int site, Checker checker) {
    history.add(
        checker,
        access(site, kind, held),
        kind,
        -1,
        accesses,
        (tag, source, sink, index) -> foundPart(checker, tag, source, sink, suffix, -1));
  }

  void foundPart(Checker checker, int tag, int source, int sink, String suffix, int index) {
    String name = arrayName(source, sink);
    if (suffix.isEmpty()) {
      found(checker, tag, source, sink, name, name, index, false);
    } else {
      found(checker, tag, source, sink, name, name, suffix, false);
    }
  }

  private void found(
      Checker checker,
      int sourceTag,
      int source,
      int sink,
      String variable,
      String field,
      int index,
      boolean isVolatile) {
    String part = index < 0 ? "" : "[" + index + "]";
    found(checker, sourceTag, source, sink, variable, field, part, isVolatile);
  }

  /** As above, of an element or key that is given as text; empty for the whole variable. */
  private void found(
      Checker checker,
      int sourceTag,
      int source,
      int sink,
      String variable,
      String field,
      String part,
      boolean isVolatile) {
    if (checker.isLost(checker.tag) || checker.isLost(sourceTag)) {
      int lost = checker.isLost(checker.tag) ? sink : source;
      obstacle("code outside every block that is followed", place(lost));
      return;
    }
    if (!findings.isNew(variable.hashCode(), source, sink)) {
      return;
    }
    Access one = accesses.get(source);
    Access other = accesses.get(sink);
    Finding.Kind kind =
        !one.kind().isWrite()
            ? Finding.Kind.READ_WRITE
            : other.kind().isWrite() ? Finding.Kind.WRITE_WRITE : Finding.Kind.WRITE_READ;
    Finding.Type type =
        locks.meet(one.locks(), other.locks())
            ? Finding.Type.LOCK_ORDERED
            : one.locks() != other.locks()
                    && !(locks.isEmpty(one.locks()) && locks.isEmpty(other.locks()))
                ? Finding.Type.INCONSISTENT_LOCKING
                : isVolatile || isAtomic(one)
                    ? Finding.Type.ORDER_NOT_GUARANTEED
                    : Finding.Type.ANOMALY;
    String whole = part.isEmpty() ? variable : variable + "[*]";
    String example = variable + part;
    findings.add(
        new Finding(
            type,
            kind,
            whole,
            field,
            example,
            isVolatile,
            end(one, source, checker.describe(sourceTag)),
            end(other, sink, checker.describe(checker.tag))));
  }

  private boolean isAtomic(Access access) {
    return sites.get(access.site()).call().startsWith("java/util/concurrent/atomic/");
  }

  private Finding.End end(Access access, int number, String block) {
    return new Finding.End(
        sites.get(access.site()),
        block,
        locks.names(access.locks()),
        stacks.getOrDefault(number, List.of()));
  }

  private String place(int access) {
    return sites.get(accesses.get(access).site()).place();
  }

  /** The better of the names that the two statements have for one object: a field's, if one is. */
  private String arrayName(int source, int sink) {
    String one = sites.get(accesses.get(source).site()).variable();
    String other = sites.get(accesses.get(sink).site()).variable();
    boolean oneIsField = one.contains(".") && !one.contains("()");
    boolean otherIsField = other.contains(".") && !other.contains("()");
    if (oneIsField != otherIsField) {
      return oneIsField ? one : other;
    }
    return one.compareTo(other) <= 0 ? one : other;
  }
}
