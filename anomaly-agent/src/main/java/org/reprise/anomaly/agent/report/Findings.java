package org.reprise.anomaly.agent.report;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.Collectors;
import org.reprise.anomaly.report.AnomalyVerdict;
import org.reprise.anomaly.report.Conflict;
import org.reprise.anomaly.report.Mask;
import org.reprise.anomaly.report.Obstacle;

/** What was found so far, each pair of statements on a variable once; for many threads. */
public final class Findings {
  private final Map<String, Conflict> conflicts = new ConcurrentSkipListMap<>();
  private final Map<String, Obstacle> obstacles = new ConcurrentSkipListMap<>();
  private final Set<Long> pairs = ConcurrentHashMap.newKeySet();
  private final Set<String> commuting = new ConcurrentSkipListSet<>();
  private final Set<String> trusted = new ConcurrentSkipListSet<>();

  /** Packages whose code ran beside other code, and was not instrumented. */
  private final Set<String> outside = new ConcurrentSkipListSet<>();

  /** Those of them of which an obstacle names a call. */
  private final Set<String> called = ConcurrentHashMap.newKeySet();

  /** Whether this pair of accesses to this variable was not seen before. */
  public boolean isNew(int variableHash, int oneAccess, int otherAccess) {
    long low = Math.min(oneAccess, otherAccess);
    long high = Math.max(oneAccess, otherAccess);
    return pairs.add(((long) variableHash << 48) ^ (high << 24) ^ low);
  }

  public void add(Conflict conflict) {
    conflicts.putIfAbsent(conflict.key(), conflict);
  }

  public void add(Obstacle obstacle) {
    obstacles.putIfAbsent(obstacle.text(), obstacle);
  }

  /** Updates of this variable by concurrent blocks were recognised as commuting. */
  public void addCommuting(String variable) {
    commuting.add(variable);
  }

  /** The verdict relies on this code, which the user trusts. */
  public void addTrusted(String prefix) {
    trusted.add(prefix);
  }

  /** Code of the package, which is not instrumented, ran beside other code. */
  public void addOutside(String packageName) {
    if (!outside.contains(packageName)) {
      outside.add(packageName);
    }
  }

  /** An obstacle names a call of the package's code. */
  public void addCalled(String packageName) {
    called.add(packageName);
  }

  /** Takes over what was found elsewhere. */
  public void addAll(Findings others) {
    others.conflicts.values().forEach(this::add);
    others.obstacles.values().forEach(this::add);
    commuting.addAll(others.commuting);
    trusted.addAll(others.trusted);
    outside.addAll(others.outside);
    called.addAll(others.called);
  }

  /** Forgets everything: what comes is judged by itself. */
  public void clear() {
    conflicts.clear();
    obstacles.clear();
    pairs.clear();
    commuting.clear();
    trusted.clear();
    outside.clear();
    called.clear();
  }

  public Collection<Conflict> conflicts() {
    return List.copyOf(conflicts.values());
  }

  /** What follows from all of it. */
  public AnomalyVerdict verdict(Mask mask) {
    List<Conflict> all = withoutMilder();
    List<Conflict> shown = all.stream().filter(conflict -> !mask.hides(conflict)).toList();
    return new AnomalyVerdict(
        shown.stream().filter(Conflict::isAnomaly).toList(),
        shown.stream().filter(conflict -> !conflict.isAnomaly()).toList(),
        obstacles(),
        all.stream().filter(mask::hides).toList(),
        mask.unmatched(all),
        commuting.stream()
            .filter(name -> all.stream().noneMatch(conflict -> conflict.variable().equals(name)))
            .toList(),
        List.copyOf(trusted));
  }

  /** Two statements that nothing orders at times are not shown again for when something does. */
  private List<Conflict> withoutMilder() {
    Set<String> anomalies =
        conflicts.values().stream()
            .filter(Conflict::isAnomaly)
            .map(Conflict::pair)
            .collect(Collectors.toSet());
    return conflicts.values().stream()
        .filter(conflict -> conflict.isAnomaly() || !anomalies.contains(conflict.pair()))
        .toList();
  }

  private List<Obstacle> obstacles() {
    List<Obstacle> all = new ArrayList<>(obstacles.values());
    for (String packageName : outside) {
      if (!called.contains(packageName)) {
        all.add(
            new Obstacle(
                "code of " + packageName + ", which is not instrumented, beside other code", ""));
      }
    }
    return all;
  }
}
