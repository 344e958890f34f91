package org.reprise.launch.verdict;

import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.reprise.trace.Rank;
import org.reprise.trace.events.CallSite;
import org.reprise.trace.file.RankHeader;

/**
 * A replay in which nothing moved for a while.
 *
 * @param atRest whether every rank had come to the end of its recording, so that nothing was left
 *     to replay
 * @param headers the ranks as they were then
 * @param stopped those that a signal had stopped
 * @param stacks where they were, of those that answered
 */
public record Stall(
    boolean atRest,
    Duration limit,
    SortedMap<Rank, RankHeader> headers,
    Set<Rank> stopped,
    Map<Rank, CallSite> stacks) {
  public Stall {
    stopped = Set.copyOf(stopped);
    stacks = Map.copyOf(stacks);
    headers = Collections.unmodifiableSortedMap(new TreeMap<>(headers));
  }

  /** The rank, if it is now in the very call that this header says. */
  Optional<RankHeader> sameAs(RankHeader then) {
    return Optional.ofNullable(headers.get(then.rank()))
        .filter(now -> now.currentCall().equals(then.currentCall()))
        .filter(now -> now.calls() == then.calls());
  }
}
