package org.reprise.ranks;

import org.reprise.ranks.fabric.CollectiveCall;
import org.reprise.ranks.fabric.MpiCall;

/**
 * One thing that happened in an execution which a {@link Laboratory} watched. Receives are numbered
 * by their rank in the order of its calls, messages by their sender, both from 0.
 */
public sealed interface Happening {
  /** The rank that did it, or to which it happened. */
  int rank();

  /** A message, named by its sender. */
  record MessageId(int sender, long number) {}

  /** A receive, named by its rank. */
  record ReceiveId(int rank, long number) {}

  /** A rank entered a call. */
  record Called(int rank, MpiCall call) implements Happening {}

  /**
   * A message left.
   *
   * @param dest in MPI_COMM_WORLD
   * @param synchronous whether its send is complete only when it is received
   */
  record Sent(int rank, MessageId message, int dest, int tag, long comm, boolean synchronous)
      implements Happening {}

  /** A receive was posted; source and tag as the program gave them, in its communicator. */
  record Posted(int rank, ReceiveId receive, int source, int tag, long comm) implements Happening {}

  /** A receive took a message. */
  record Matched(int rank, ReceiveId receive, MessageId message) implements Happening {}

  /** A call reported that a receive is complete. */
  record ReceiveCompleted(int rank, ReceiveId receive) implements Happening {}

  /** A call reported that a non-blocking send is complete. */
  record SendCompleted(int rank, long post) implements Happening {}

  /** A probe saw a message; source and tag as the program gave them, in its communicator. */
  record Probed(int rank, MessageId message, int source, int tag, long comm) implements Happening {}

  /** A poll found nothing. */
  record PollFailed(int rank) implements Happening {}

  /** A rank brought its part to a collective operation. */
  record Entered(int rank, CollectiveCall.Kind kind, int root, long comm) implements Happening {}

  /** A rank left a collective operation. */
  record Left(int rank, CollectiveCall.Kind kind, int root, long comm) implements Happening {}
}
