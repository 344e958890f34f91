package org.reprise.causality.live;

import org.jspecify.annotations.Nullable;

/** A message from when its send is read until nobody can race for it any more. */
final class Message {
  /** In place of the number of a completion: not read, or none. */
  static final int NEVER = Integer.MAX_VALUE;

  private static final int[] NOTHING = {};

  final int source;
  final int destination;
  final int comm;
  final int tag;

  /** The number of the event that sent it, among those of its source. */
  final int number;

  final int site;

  /** Its send completes only when it is matched. */
  final boolean synchronous;

  /** The call that told the sender so. */
  int completion = NEVER;

  /** Whether the pass has entered the send; before, nothing is known of what the sender knew. */
  boolean entered;

  /** What the sender knew at the entry of the send. */
  int[] sent = NOTHING;

  /** How many calls of the destination had begun, as far as the sender knew. */
  int known;

  /** The number of the receive that took it, as far as that is settled. */
  int takenBy = NEVER;

  /** Of a synchronous one: the receive that took it. */
  @Nullable Receive taker;

  Message(
      int source, int number, int site, int destination, int comm, int tag, boolean synchronous) {
    this.source = source;
    this.number = number;
    this.site = site;
    this.destination = destination;
    this.comm = comm;
    this.tag = tag;
    this.synchronous = synchronous;
  }

  /** Whether a receive that was posted before this number took it. */
  boolean isTakenBefore(int receive) {
    return takenBy < receive;
  }

  /** Whether its sender knew, when it sent it, that a call of a rank had returned. */
  boolean follows(int rank, int call) {
    return rank == source ? call < number : call != NEVER && sent[rank] >= call + 2;
  }
}
