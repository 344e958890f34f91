package org.reprise.ranks.engine;

import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.reprise.ranks.journal.Identity;

/**
 * The side of a communicator that its members share: who they are, and the collective operations
 * that are under way. Messages of one context are never received in another.
 */
public final class CommContext {
  public final long id;

  /** World ranks of the members; of an intercommunicator, of its first group. */
  public final int[] group;

  /** World ranks of the second group of an intercommunicator. */
  public final int @Nullable [] second;

  private final ConcurrentHashMap<Long, Round> rounds = new ConcurrentHashMap<>();

  private @Nullable CommContext hidden;
  private boolean isHidden;

  public CommContext(long id, int[] group, int @Nullable [] second) {
    this.id = id;
    this.group = group;
    this.second = second;
  }

  /** A context for the engine's own messages among the same members. */
  public synchronized CommContext hidden() {
    if (hidden == null) {
      hidden = new CommContext(Identity.mix(id, 0), group, second);
      hidden.isHidden = true;
    }
    return hidden;
  }

  /** Whether its messages are the engine's own. */
  boolean isHidden() {
    return isHidden;
  }

  public Round round(long number, LongFunction<Round> first) {
    return rounds.computeIfAbsent(number, first::apply);
  }

  public void forget(long number) {
    rounds.remove(number);
  }
}
