package org.reprise.anomaly.agent.detect;

import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.reprise.anomaly.agent.detect.history.Access;
import org.reprise.anomaly.agent.detect.history.Accesses;
import org.reprise.anomaly.agent.detect.library.LockSets;
import org.reprise.anomaly.agent.instrument.program.Site;
import org.reprise.anomaly.agent.instrument.program.Sites;
import org.reprise.anomaly.agent.instrument.program.Variable;
import org.reprise.anomaly.agent.report.Findings;
import org.reprise.anomaly.report.Conflict;
import org.reprise.anomaly.report.Lineage;
import org.reprise.anomaly.report.Obstacle;

/** Puts two conflicting accesses into the words of the source: what becomes of them as findings. */
final class ConflictReports {
  static final String OUTSIDE = "code outside every block that is followed";

  private static final String FILE = "file";

  private final Sites sites;
  private final Accesses accesses;
  private final LockSets locks;
  private final Findings findings;

  /** Whether two sets of locks have one in common. */
  private final ConcurrentHashMap<Long, Boolean> meetings = new ConcurrentHashMap<>();

  private final ConcurrentHashMap<Integer, List<String>> stacks = new ConcurrentHashMap<>();

  ConflictReports(Sites sites, Accesses accesses, LockSets locks, Findings findings) {
    this.sites = sites;
    this.accesses = accesses;
    this.locks = locks;
    this.findings = findings;
  }

  /** Keeps the calls above the first access of this number. */
  void keepStack(int access) {
    stacks.computeIfAbsent(access, any -> Stacks.ofProgram());
  }

  /** The checker's block accesses a field that an earlier block accessed; null if it is static. */
  void field(
      Checker checker,
      int sourceTag,
      int source,
      int sink,
      Variable field,
      @Nullable Object object) {
    String name = field.className() + "." + field.field();
    Predicate<Object> owner = object == null ? null : each -> each == object;
    found(checker, sourceTag, source, sink, field.text(), name, "", field.isVolatile(), owner);
  }

  /**
   * The same of an element or a key, given as text; empty for the object as a whole.
   *
   * @param isSynchronised the object synchronises its own methods
   * @param owner which object it is
   */
  void part(
      Checker checker,
      int sourceTag,
      int source,
      int sink,
      String part,
      boolean isSynchronised,
      Predicate<Object> owner) {
    String name = name(source, sink);
    found(checker, sourceTag, source, sink, name, name, part, isSynchronised, owner);
  }

  /** The same of a file, whose name is the part. */
  void file(Checker checker, int sourceTag, int source, int sink, String part) {
    found(checker, sourceTag, source, sink, FILE, FILE, part, false, null);
  }

  private void found(
      Checker checker,
      int sourceTag,
      int source,
      int sink,
      String variable,
      String field,
      String part,
      boolean isSynchronised,
      @Nullable Predicate<Object> owner) {
    if (checker.isLost(checker.tag) || checker.isLost(sourceTag)) {
      int lost = checker.isLost(checker.tag) ? sink : source;
      String place = sites.get(accesses.get(lost).site()).place();
      findings.add(new Obstacle(OUTSIDE, place));
      return;
    }
    Access one = accesses.get(source);
    Access other = accesses.get(sink);
    boolean isExcluded = one.locks() != 0 && other.locks() != 0 && meet(one, other);
    if (isExcluded && sites.isIncrement(one.site()) && sites.isIncrement(other.site())) {
      findings.addCommuting(variable);
      return;
    }
    if (isExcluded) {
      checker.follows(sourceTag);
    }
    boolean isOrderedHere =
        isExcluded
            || isSynchronised
            || checker.hasSeen(sourceTag)
            || checker.openCalls.haveSeen(sourceTag, owner, checker);
    // The same two statements may be ordered once, and not another time.
    int variableHash = isOrderedHere ? variable.hashCode() : ~variable.hashCode();
    if (!findings.isNew(variableHash, source, sink)) {
      return;
    }
    findings.add(
        new Conflict(
            isOrderedHere ? Conflict.Type.LOCK_ORDERED : type(one, other),
            kind(one, other),
            part.isEmpty() ? variable : variable + "[*]",
            field,
            variable + part,
            isSynchronised,
            end(one, source, checker.lineage(sourceTag)),
            end(other, sink, checker.lineage(checker.tag))));
  }

  private static Conflict.Kind kind(Access one, Access other) {
    if (!one.kind().isWrite()) {
      return Conflict.Kind.READ_WRITE;
    }
    return other.kind().isWrite() ? Conflict.Kind.WRITE_WRITE : Conflict.Kind.WRITE_READ;
  }

  private boolean meet(Access one, Access other) {
    long low = Math.min(one.locks(), other.locks());
    long pair = low << 32 | Math.max(one.locks(), other.locks());
    return meetings.computeIfAbsent(pair, any -> locks.meet(one.locks(), other.locks()));
  }

  private Conflict.Type type(Access one, Access other) {
    boolean isLocked = !(locks.isEmpty(one.locks()) && locks.isEmpty(other.locks()));
    return one.locks() != other.locks() && isLocked
        ? Conflict.Type.INCONSISTENT_LOCKING
        : Conflict.Type.ANOMALY;
  }

  private Conflict.End end(Access access, int number, Lineage block) {
    Site site = sites.get(access.site());
    return site.end(block, locks.names(access.locks()), stacks.getOrDefault(number, List.of()));
  }

  /** The better of the names that the two statements have for one object: a field's, if one is. */
  private String name(int source, int sink) {
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
