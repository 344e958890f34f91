package org.reprise.ranks.engine;

import org.jspecify.annotations.Nullable;
import org.reprise.ranks.fabric.Payload;

/** A message on its way: in the mailbox of its receiver until a receive takes it. */
public final class Message {
  public final CommContext context;

  /** The sender's rank in the communicator. */
  public final int source;

  public final JobRank sender;
  public final int tag;

  /** The sender's elements, or a copy. */
  public Payload payload;

  boolean isOwnCopy;

  /** The send to complete when this is received; null if it was complete at once. */
  public final @Nullable PendingSend send;

  /** Number among the messages that the sender has sent. */
  public final long number;

  /** Names it among the messages of its rank: by the thread that sent it, as that one's n-th. */
  final long origin;

  /** When it came, among all messages of the mailbox. */
  long place;

  /** Links among the messages of one channel, and of all in the mailbox. */
  @Nullable Message nextInChannel;

  @Nullable Message beforeInChannel;
  @Nullable public Message next;
  @Nullable Message before;

  public Message(
      Member comm,
      JobRank sender,
      int tag,
      Payload payload,
      @Nullable PendingSend send,
      long number) {
    this.context = comm.context;
    this.source = comm.rank();
    this.sender = sender;
    this.tag = tag;
    this.payload = payload;
    this.send = send;
    this.number = number;
    this.origin = sender.isShared() ? sender.nextOrigin() : number;
  }

  /**
   * Tells the journal of its receiver which message it is, where that does not follow from the
   * order of receives: threads send it, or threads receive it.
   */
  public void tellOrigin(JobRank receiver) {
    if (sender.isShared() || receiver.isShared()) {
      receiver.fabric().journal().cameFrom(origin);
    }
  }

  void ownCopy() {
    if (!isOwnCopy) {
      payload = payload.copy();
      isOwnCopy = true;
    }
  }
}
