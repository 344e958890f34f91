package org.reprise.anomaly.agent.report;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;

/** What was found so far, each pair of statements on a variable once; for many threads. */
public final class Findings {
  private final Map<String, Finding> findings = new ConcurrentSkipListMap<>();
  private final Map<String, Obstacle> obstacles = new ConcurrentSkipListMap<>();
  private final Set<Long> pairs = ConcurrentHashMap.newKeySet();
  private final Set<String> commuting = new ConcurrentSkipListSet<>();

  /** Whether this pair of accesses to this variable was not seen before. */
  public boolean isNew(int variableHash, int oneAccess, int otherAccess) {
    long low = Math.min(oneAccess, otherAccess);
    long high = Math.max(oneAccess, otherAccess);
    return pairs.add(((long) variableHash << 48) ^ (high << 24) ^ low);
  }

  public void add(Finding finding) {
    findings.putIfAbsent(finding.key(), finding);
  }

  public void add(Obstacle obstacle) {
    obstacles.putIfAbsent(obstacle.text(), obstacle);
  }

  /** Updates of this variable by concurrent blocks were recognised as commuting. */
  public void addCommuting(String variable) {
    commuting.add(variable);
  }

  /** Takes over what was found elsewhere. */
  public void addAll(Findings others) {
    others.findings.values().forEach(this::add);
    others.obstacles.values().forEach(this::add);
    commuting.addAll(others.commuting);
  }

  /** Forgets everything: what comes is judged by itself. */
  public void clear() {
    findings.clear();
    obstacles.clear();
    pairs.clear();
    commuting.clear();
  }

  public Collection<Finding> findings() {
    return List.copyOf(findings.values());
  }

  public Collection<Obstacle> obstacles() {
    return List.copyOf(obstacles.values());
  }

  public Collection<String> commuting() {
    return List.copyOf(commuting);
  }
}
