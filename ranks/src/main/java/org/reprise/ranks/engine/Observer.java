package org.reprise.ranks.engine;

import org.reprise.ranks.fabric.CollectiveCall;
import org.reprise.ranks.fabric.Communicator;
import org.reprise.ranks.fabric.MpiCall;

/**
 * Sees what happens inside the engine, as it happens: for laboratories and tests. Where ranks run
 * in parallel it is called by several threads at once.
 */
public interface Observer {
  default void called(JobRank rank, MpiCall call) {}

  default void sent(Message message, JobRank dest) {}

  default void posted(PendingReceive receive) {}

  default void matched(Message message, PendingReceive receive) {}

  default void completed(JobRank rank, Pending operation) {}

  /** A probe that asked for this source and tag saw a message. */
  default void probed(JobRank rank, Message seen, int source, int tag) {}

  default void pollFailed(JobRank rank) {}

  default void entered(JobRank rank, Communicator comm, CollectiveCall call) {}

  default void left(JobRank rank, Communicator comm, CollectiveCall call) {}
}
