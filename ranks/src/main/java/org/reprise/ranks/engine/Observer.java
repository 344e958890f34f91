package org.reprise.ranks.engine;

import org.reprise.ranks.fabric.CollectiveCall;
import org.reprise.ranks.fabric.Communicator;
import org.reprise.ranks.fabric.MpiCall;

/**
 * Sees what happens inside the engine, as it happens: for laboratories and tests. Where ranks run
 * in parallel it is called by several threads at once.
 */
public interface Observer {
  default void called(Rank rank, MpiCall call) {}

  default void sent(Message message, Rank dest) {}

  default void posted(PendingReceive receive) {}

  default void matched(Message message, PendingReceive receive) {}

  default void completed(Rank rank, Pending operation) {}

  /** A probe that asked for this source and tag saw a message. */
  default void probed(Rank rank, Message seen, int source, int tag) {}

  default void pollFailed(Rank rank) {}

  default void entered(Rank rank, Communicator comm, CollectiveCall call) {}

  default void left(Rank rank, Communicator comm, CollectiveCall call) {}
}
