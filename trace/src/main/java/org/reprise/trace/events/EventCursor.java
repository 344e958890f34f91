package org.reprise.trace.events;

/**
 * The events of one rank, one after the other, without an object for each: whoever reads millions
 * of them moves a cursor and asks it for the fields of the event under it. Ranks are numbers in
 * MPI_COMM_WORLD throughout.
 */
public interface EventCursor {
  /** In place of a peer or a tag: any, or none. */
  int ANY = -1;

  /** In place of an event's number: none. */
  long NO_EVENT = -1;

  /** The rank whose events these are. */
  int rank();

  /** The size of MPI_COMM_WORLD. */
  int ranks();

  /** Moves to the next event; false behind the last one. */
  boolean advance();

  /** The number of this event among those of its rank, from 0. */
  long number();

  EventKind kind();

  /** The flags as the sum of {@link EventFlag#bit}. */
  int flags();

  default boolean is(EventFlag flag) {
    return (flags() & flag.bit()) != 0;
  }

  /** Number of the MPI call, as in callNames of run.json. */
  int call();

  /** Line of the rank's table of call sites, from 1; 0 if unknown. */
  int site();

  /**
   * The world rank of the other side: destination, source of the message that came, or root. {@link
   * #ANY} for a post of a receive from any source, and where there is none.
   */
  int peer();

  /**
   * Tag of the message, {@link #ANY} for a post of a receive of any tag and where there is none.
   */
  int tag();

  /** How data flow in a collective. */
  CollectiveFlow flow();

  /** Index of the communicator in {@link #communicator}, also of an event that names another. */
  int comm();

  /** The event that this one names: the post that it completes, say. */
  long post();

  /** Bytes of the message, or those this rank sends; the number of failed polls. */
  long bytes();

  /** From the beginning of the rank's trace, MPI_Init, to the beginning of the call. */
  long startNanos();

  long durationNanos();

  /** The thread that made the call; 0 made MPI_Init. */
  int thread();

  /**
   * How many ranks a collective of flow LISTED gets data from, or how many requests a poll asked
   * for, where the events tell.
   */
  int peerCount();

  /**
   * The world rank of one of them; of a poll the number of the event that began the request, {@link
   * #NULL_REQUEST} or {@link #UNKNOWN_REQUEST}.
   */
  int peer(int index);

  /** Among the requests of a poll: one that is null or not active. */
  int NULL_REQUEST = -1;

  /** Among the requests of a poll: one that nobody knows. */
  int UNKNOWN_REQUEST = -2;

  /** One of the communicators met so far. */
  Communicator communicator(int index);

  /** How many communicators were met so far. */
  int communicators();
}
