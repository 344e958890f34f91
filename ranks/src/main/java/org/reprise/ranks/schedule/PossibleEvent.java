package org.reprise.ranks.schedule;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.reprise.ranks.engine.Decision;
import org.reprise.ranks.engine.JobRank;
import org.reprise.ranks.engine.Matching;
import org.reprise.ranks.engine.Message;
import org.reprise.ranks.engine.PendingReceive;

/**
 * Something that a scheduler may let happen when no rank can run by itself: a receive from any
 * source takes a message, a call that leaves something open comes to something, or one of the
 * threads of a rank takes its next step. Its key names it the same way in every execution in which
 * the ranks concerned have done the same.
 */
public final class PossibleEvent {
  /** In place of the number of a call: the event is no outcome of one. */
  private static final long MATCH = -1;

  private static final long STEP = -2;

  private final int rank;
  private final int thread;
  private final long[] key;
  private final int hash;
  public final List<Matching.Pair> matches;
  public final @Nullable Decision decision;

  private PossibleEvent(
      int rank, long[] key, List<Matching.Pair> matches, @Nullable Decision decision) {
    this(rank, 0, key, matches, decision);
  }

  private PossibleEvent(
      int rank, int thread, long[] key, List<Matching.Pair> matches, @Nullable Decision decision) {
    this.rank = rank;
    this.thread = thread;
    this.key = key;
    this.hash = Arrays.hashCode(key);
    this.matches = matches;
    this.decision = decision;
  }

  /** A receive takes a message, and its rank's call goes on waiting or not as that makes it. */
  static PossibleEvent match(JobRank rank, PendingReceive receive, Message message) {
    return new PossibleEvent(
        rank.number,
        new long[] {rank.number, MATCH, receive.number, message.sender.number, message.number},
        List.of(new Matching.Pair(receive, message)),
        null);
  }

  /** A thread of a rank that has several takes its n-th step. */
  static PossibleEvent step(JobRank rank, int thread, long steps) {
    return new PossibleEvent(
        rank.number, thread, new long[] {rank.number, STEP, thread, steps}, List.of(), null);
  }

  /** Whether it is that a thread takes its next step. */
  boolean isStep() {
    return key[1] == STEP;
  }

  /** The call that the rank is in comes to this. */
  static PossibleEvent outcome(JobRank rank, Decision decision, List<Matching.Pair> matches) {
    List<Integer> indices = decision.indices();
    Message seen = decision.seen();
    long[] key =
        new long
            [4
                + (indices == null ? 0 : indices.size())
                + 3 * matches.size()
                + (seen == null ? 0 : 2)];
    int at = 0;
    key[at++] = rank.number;
    key[at++] = rank.fabric().calls();
    key[at++] = indices == null ? -1 : indices.size();
    key[at++] = matches.size();
    if (indices != null) {
      for (int index : indices) {
        key[at++] = index;
      }
    }
    for (Matching.Pair pair : matches) {
      key[at++] = pair.receive().number;
      key[at++] = pair.message().sender.number;
      key[at++] = pair.message().number;
    }
    if (seen != null) {
      key[at++] = seen.sender.number;
      key[at] = seen.number;
    }
    return new PossibleEvent(rank.number, key, matches, decision);
  }

  /** The same outcome of a call that another thread of the rank is in. */
  PossibleEvent in(int otherThread) {
    long[] longer = Arrays.copyOf(key, key.length + 1);
    longer[key.length] = otherThread;
    return new PossibleEvent(rank, otherThread, longer, matches, decision);
  }

  /** The thread of the rank whose call comes to this, or that takes a step. */
  int thread() {
    return thread;
  }

  /** The rank at which it happens. */
  public int rank() {
    return rank;
  }

  /** Whether it is that a poll fails. */
  public boolean isFailure() {
    return decision != null && decision.indices() == null && decision.seen() == null;
  }

  /**
   * Whether it does not matter which of the two happens first: neither prevents the other, and both
   * orders lead to the same. So it is at different ranks, where an event adds messages and takes
   * none; and for two receives of one rank that take two messages. Threads of one rank may do to
   * each other whatever they like, so their steps never commute.
   */
  public boolean commutesWith(PossibleEvent other) {
    if (rank != other.rank) {
      return true;
    }
    return key[1] == MATCH
        && other.key[1] == MATCH
        && key[2] != other.key[2]
        && (key[3] != other.key[3] || key[4] != other.key[4]);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof PossibleEvent event
        && hash == event.hash
        && Arrays.equals(key, event.key);
  }

  @Override
  public int hashCode() {
    return hash;
  }

  @Override
  public String toString() {
    return "event " + Arrays.toString(key);
  }
}
