package org.reprise.causality.live;

import java.util.List;

/**
 * A receive that was open when another one was posted, as far as it bears on what that one could
 * have got: nothing that this one accepts, before it is matched itself.
 *
 * @param receive its number
 * @param source what it asks for
 * @param tag what it asks for
 * @param cancel the call that cancelled it; {@link Receive#NEVER} if none did
 * @param took the number of the send of its message; negative if it has none
 * @param tookSource who sent that
 * @param isLast it is the last one of those that ask for the same
 * @param isUnknown it has no message because nobody knows which
 * @param known how many calls of the rank had begun in the past of its match
 * @param posted what the rank knew when it was posted
 * @param matched the messages that had to be taken for it to be matched
 */
record Earlier(
    int receive,
    int source,
    int tag,
    int cancel,
    int took,
    int tookSource,
    boolean isLast,
    boolean isUnknown,
    int known,
    int[] posted,
    List<Message> matched) {
  boolean accepts(Message message) {
    return (source == Receive.ANY || source == message.source)
        && (tag == Receive.ANY || tag == message.tag);
  }

  boolean isCancelled() {
    return cancel != Receive.NEVER;
  }
}
