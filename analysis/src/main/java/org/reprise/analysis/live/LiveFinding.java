package org.reprise.analysis.live;

import org.reprise.causality.live.Race;

/**
 * The first race of a line that receives with messages of a line that sends.
 *
 * @param receivedAt the receive's place in the source; empty if it is not known
 * @param sentAt the same of the send of the message that it could have got
 */
public record LiveFinding(Race first, String receivedAt, String sentAt) {
  /** In a line for people. */
  public String text() {
    return switch (first.kind()) {
          case RECEIVE -> "a receive";
          case PROBE, POLL -> "a probe";
          case UNCERTAIN -> "perhaps a receive";
        }
        + at(receivedAt)
        + " on rank "
        + first.rank()
        + " could have got another message: that of rank "
        + first.sender()
        + (sentAt.isEmpty() ? "" : ", sent" + at(sentAt));
  }

  private static String at(String place) {
    return place.isEmpty() ? "" : " at " + place;
  }
}
