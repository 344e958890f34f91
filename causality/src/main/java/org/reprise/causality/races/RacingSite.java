package org.reprise.causality.races;

import java.util.List;
import org.reprise.causality.EventTable;

/**
 * One line of a program whose receives or probes race, however often and on however many ranks.
 *
 * @param kind what races there
 * @param site the call site of the receive, as numbered by {@link Site}
 * @param count how many receives or probes of this site race
 * @param alternatives how many other messages they could have got, all together
 * @param controlled how many of them a replay must force
 * @param blocks in how many runs of consecutive ones they took messages of one source
 * @param ranks the ranks that receive there, in rising order
 * @param senders call sites of the messages they took and could have got, as far as looked at
 * @param unreceived whether one of the other messages was received by nobody
 * @param example one of them
 */
public record RacingSite(
    Kind kind,
    int site,
    long count,
    long alternatives,
    long controlled,
    long blocks,
    List<Integer> ranks,
    List<Integer> senders,
    boolean unreceived,
    Example example) {
  public RacingSite {
    ranks = List.copyOf(ranks);
    senders = List.copyOf(senders);
  }

  /** What races. */
  public enum Kind {
    /** A receive could have taken another message. */
    RECEIVE,
    /** A blocking probe could have seen another message. */
    PROBE,
    /** A poll that saw a message could have seen another one. It could have failed, too. */
    POLL,
    /** Whether it races is uncertain: what some receive took is not known. */
    UNCERTAIN
  }

  /**
   * One concrete race, in events: the receive (its post) or probe, the call that completed it, the
   * send of the message that it got, and the send of one it could have got. What is not known is
   * {@link EventTable#NONE}.
   */
  public record Example(int receive, int completion, int took, int couldTake) {}
}
