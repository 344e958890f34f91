package org.reprise.ranks;

import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The side of a communicator that its members share: who they are, and the collective operations
 * that are under way. Messages of one context are never received in another.
 */
final class Context {
  final long id;

  /** World ranks of the members; of an intercommunicator, of its first group. */
  final int[] group;

  /** World ranks of the second group of an intercommunicator. */
  final int @Nullable [] second;

  private final ConcurrentHashMap<Long, Round> rounds = new ConcurrentHashMap<>();

  private @Nullable Context hidden;
  private boolean isHidden;

  Context(long id, int[] group, int @Nullable [] second) {
    this.id = id;
    this.group = group;
    this.second = second;
  }

  /** A context for the engine's own messages among the same members. */
  synchronized Context hidden() {
    if (hidden == null) {
      hidden = new Context(Identity.mix(id, 0), group, second);
      hidden.isHidden = true;
    }
    return hidden;
  }

  /** Whether its messages are the engine's own. */
  boolean isHidden() {
    return isHidden;
  }

  Round round(long number, LongFunction<Round> first) {
    return rounds.computeIfAbsent(number, first::apply);
  }

  void forget(long number) {
    rounds.remove(number);
  }
}
