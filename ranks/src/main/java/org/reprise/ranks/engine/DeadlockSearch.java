package org.reprise.ranks.engine;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.reprise.ranks.journal.SourceLine;

/** Puts together why nothing moves: what every rank waits for, and a cycle among them. */
public final class DeadlockSearch {
  public static Deadlock in(JobRank[] ranks) {
    List<Deadlock.Wait> waits = new ArrayList<>();
    for (JobRank rank : ranks) {
      Waiter sleeper = rank.sleeper();
      Wait wait = sleeper.wait;
      if (rank.end == null && wait != null) {
        waits.add(
            new Deadlock.Wait(
                rank.number, wait.call, SourceLine.of(sleeper.thread), wait.what(), wait.ranks()));
      }
    }
    return new Deadlock(waits, cycle(waits));
  }

  /** Depth first along "waits for", until a rank comes up that is on the way already. */
  private static List<Integer> cycle(List<Deadlock.Wait> waits) {
    Map<Integer, Deadlock.Wait> byRank = new HashMap<>();
    waits.forEach(wait -> byRank.put(wait.rank(), wait));
    Set<Integer> known = new HashSet<>();
    for (Deadlock.Wait start : waits) {
      List<Integer> way = new ArrayList<>();
      Set<Integer> onTheWay = new HashSet<>();
      Integer at = start.rank();
      while (at != null && known.add(at)) {
        way.add(at);
        onTheWay.add(at);
        at = next(byRank.get(at), byRank.keySet(), onTheWay);
      }
      if (at != null && onTheWay.contains(at)) {
        return way.subList(way.indexOf(at), way.size());
      }
    }
    return List.of();
  }

  /** A rank that waits itself: one that closes a cycle, if there is one. */
  private static @Nullable Integer next(
      Deadlock.@Nullable Wait wait, Set<Integer> waiting, Set<Integer> onTheWay) {
    if (wait == null) {
      return null;
    }
    Optional<Integer> closing = wait.ranks().stream().filter(onTheWay::contains).findFirst();
    return closing
        .or(() -> wait.ranks().stream().filter(waiting::contains).findFirst())
        .orElse(null);
  }

  private DeadlockSearch() {}
}
