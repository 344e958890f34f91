package org.reprise.launch.deadlock;

import java.util.List;
import org.reprise.trace.waits.RankWaits;

/** What a rank of a running job does, as far as it matters to those who wait for it. */
public sealed interface Stance {
  /** It may do anything: it computes, it polls, or nobody knows. */
  record Moving() implements Stance {}

  /** It has called MPI_Finalize, and sends and receives nothing more. */
  record Finished(RankWaits known) implements Stance {}

  /**
   * It is in a call that does not return before something happens.
   *
   * @param any whether one of its wants is enough: MPI_Waitany, MPI_Waitsome; else it needs all
   */
  record Waiting(RankWaits known, boolean any, List<Want> wants) implements Stance {
    public Waiting {
      wants = List.copyOf(wants);
    }
  }

  /** Something that a rank waits for; peers are ranks of the communicator, -1 is any. */
  sealed interface Want {
    /**
     * A message.
     *
     * @param post of the receive; {@link Long#MAX_VALUE} for a call that receives or probes itself
     */
    record Message(int comm, int source, int tag, long post) implements Want {}

    /**
     * A receive of a message that this rank has sent.
     *
     * @param number which of its channel, from 1; 0 for the last one
     * @param mayBeDone whether the library may have finished the send without the receive: it is
     *     one of several that are waited for, and nobody asked
     */
    record Reception(int comm, int destination, int tag, long number, boolean mayBeDone)
        implements Want {}

    /**
     * The other members of a collective.
     *
     * @param number on the communicator, from 1
     * @param call that began it
     * @param all whether it needs every member; else it may need only some
     */
    record Members(int comm, long number, int call, boolean all) implements Want {}

    /** Something of which too little is known to say that it will not happen. */
    record Unknown() implements Want {}
  }
}
