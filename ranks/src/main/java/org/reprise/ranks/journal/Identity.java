package org.reprise.ranks.journal;

import org.reprise.ranks.fabric.MpiCall;

/**
 * Identities of communicators, made as the interposer makes them (interposer/src/comms.c): of the
 * parent, how it was made, its number among those of its parent, and the world rank of its first
 * member.
 */
public final class Identity {
  private static final long MADE_WORLD = 1;
  private static final long MADE_SELF = 2;
  private static final long MADE_OF_PARENT = 3;
  private static final long MADE_INTER = 5;
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  /** reprise_mix of reprise_wire.h. */
  public static long mix(long hash, long value) {
    long mixed = (hash ^ value) * GOLDEN;
    return mixed ^ mixed >>> 32;
  }

  public static long world() {
    return mix(MADE_WORLD, 0);
  }

  public static long self(int rank) {
    return mix(MADE_SELF, rank);
  }

  /** The {@code number}-th communicator that was made of {@code parent}, in this way. */
  public static long child(long parent, MpiCall how, long number, int firstMember) {
    return mix(mix(mix(mix(parent, MADE_OF_PARENT), how.ordinal()), number), firstMember);
  }

  /** The {@code number}-th intercommunicator that these leaders made with this tag. */
  public static long inter(int leader, int otherLeader, int tag, long number) {
    long low = Math.min(leader, otherLeader);
    long high = Math.max(leader, otherLeader);
    return mix(mix(mix(mix(MADE_INTER, low), high), tag), number);
  }

  private Identity() {}
}
