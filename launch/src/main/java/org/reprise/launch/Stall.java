package org.reprise.launch;

import java.time.Duration;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.reprise.trace.Rank;
import org.reprise.trace.RankHeader;

/**
 * A replay in which nothing moved for a while.
 *
 * @param atRest whether every rank had come to the end of its recording, so that nothing was left
 *     to replay
 * @param headers the ranks as they were then
 */
record Stall(boolean atRest, Duration limit, SortedMap<Rank, RankHeader> headers) {
  Stall {
    headers = Collections.unmodifiableSortedMap(new TreeMap<>(headers));
  }
}
