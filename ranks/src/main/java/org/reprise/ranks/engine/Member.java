package org.reprise.ranks.engine;

import java.util.Arrays;
import org.reprise.ranks.fabric.Communicator;

/**
 * A communicator as one of its members holds it: the shared context and the member's own counts.
 */
public final class Member implements Communicator {
  public final CommContext context;
  public final boolean inSecond;
  private final int rank;

  /** Collective operations this member has begun on it: members' calls match by this number. */
  public long rounds;

  /** Communicators this member has made of it: they are named by this number. */
  public long children;

  public boolean freed;

  public Member(CommContext context, boolean inSecond, int rank) {
    this.context = context;
    this.inSecond = inSecond;
    this.rank = rank;
  }

  private int[] own() {
    int[] second = context.second;
    return inSecond && second != null ? second : context.group;
  }

  /** Where messages go to and come from: the other group of an intercommunicator. */
  public int[] peers() {
    return context.second == null || inSecond ? context.group : context.second;
  }

  /** World ranks of all members, those of an intercommunicator's second group last. */
  public int[] everybody() {
    int[] second = context.second;
    if (second == null) {
      return context.group;
    }
    int[] all = Arrays.copyOf(context.group, context.group.length + second.length);
    System.arraycopy(second, 0, all, context.group.length, second.length);
    return all;
  }

  /** This member's place in {@link #everybody}. */
  public int place() {
    return inSecond ? context.group.length + rank : rank;
  }

  @Override
  public long id() {
    return context.id;
  }

  @Override
  public int rank() {
    return rank;
  }

  @Override
  public int size() {
    return own().length;
  }

  @Override
  public int remoteSize() {
    return context.second == null ? 0 : peers().length;
  }

  @Override
  public int worldRank(int member) {
    return own()[member];
  }

  @Override
  public int remoteWorldRank(int member) {
    return peers()[member];
  }
}
