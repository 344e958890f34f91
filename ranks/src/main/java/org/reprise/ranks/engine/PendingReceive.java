package org.reprise.ranks.engine;

import org.jspecify.annotations.Nullable;
import org.reprise.ranks.fabric.Fabric;
import org.reprise.ranks.fabric.FabricError;
import org.reprise.ranks.fabric.Payload;
import org.reprise.ranks.fabric.Received;

/** A posted receive: what it accepts, where the elements go, and its place in the mailbox. */
public final class PendingReceive extends Pending {
  public final Member comm;

  /** Rank in the communicator, or {@link Fabric#ANY_SOURCE}. */
  public final int source;

  public final int tag;
  final @Nullable Payload room;

  /** Whether the program left the source, or the tag, open: such outcomes are recorded. */
  public final boolean askedAnySource;

  public final boolean askedAnyTag;

  /** When it was posted, among all receives of the mailbox. */
  public long place;

  @Nullable public PendingReceive next;
  @Nullable PendingReceive before;

  /** Whether it waits in a mailbox for a message. */
  public boolean posted;

  /** Its number among the receives of its rank: the same in every execution that led there. */
  public final long number;

  /**
   * Whether it takes its message only when somebody needs that. One that names its source has
   * nothing to choose, unless it may be cancelled before.
   */
  public final boolean isLate;

  @Nullable public Message message;

  /** Whether it had taken nothing when its rank ended. */
  public boolean never;

  public PendingReceive(
      JobRank owner,
      long post,
      Member comm,
      int source,
      int tag,
      @Nullable Payload room,
      boolean askedAnySource,
      boolean askedAnyTag) {
    super(owner, post);
    this.number = owner.receives++;
    this.isLate = source == Fabric.ANY_SOURCE || (post >= 0 && owner.machine.cancels);
    this.comm = comm;
    this.source = source;
    this.tag = tag;
    this.room = room;
    this.askedAnySource = askedAnySource;
    this.askedAnyTag = askedAnyTag;
  }

  public boolean isOpen() {
    return askedAnySource || askedAnyTag;
  }

  public boolean accepts(Message message) {
    return message.context == comm.context
        && (source == Fabric.ANY_SOURCE || source == message.source)
        && (tag == Fabric.ANY_TAG || tag == message.tag);
  }

  /** Takes the elements; errors are the receiver's. */
  void take(Message taken) {
    message = taken;
    Payload sent = taken.payload;
    Payload handedOver = null;
    if (room == null) {
      handedOver = taken.isOwnCopy ? sent : sent.copy();
    } else if (!room.type().accepts(sent.type())) {
      failure =
          new FabricError(
              FabricError.Kind.TYPE,
              "a message of "
                  + sent.type()
                  + " from rank "
                  + taken.source
                  + ", tag "
                  + taken.tag
                  + ", was received as "
                  + room.type());
    } else {
      copy(sent, room, taken);
    }
    received = new Received(taken.source, taken.tag, sent.type(), sent.count(), false, handedOver);
    done = true;
  }

  private void copy(Payload sent, Payload into, Message taken) {
    int fits = Math.min(sent.count(), into.count());
    if (fits < sent.count()) {
      failure =
          new FabricError(
              FabricError.Kind.TRUNCATE,
              "a message of "
                  + sent.count()
                  + " elements from rank "
                  + taken.source
                  + ", tag "
                  + taken.tag
                  + ", does not fit into room for "
                  + into.count());
    }
    if (sent.array().getClass() == into.array().getClass()) {
      System.arraycopy(sent.array(), sent.offset(), into.array(), into.offset(), fits);
    } else {
      failure =
          new FabricError(
              FabricError.Kind.TYPE,
              "packed bytes can only be received as bytes, not as " + into.type());
    }
  }

  public void cancel() {
    received = Received.CANCELLED;
    done = true;
  }

  @Override
  String waitsFor() {
    return "a message from " + Words.pattern(source, tag);
  }
}
