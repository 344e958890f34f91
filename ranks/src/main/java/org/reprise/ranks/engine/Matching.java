package org.reprise.ranks.engine;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.reprise.ranks.fabric.Fabric;

/**
 * Which receive may take which message, where that is decided as late as possible. A receive r may
 * take message m if no receive posted before r accepts m, and no message that came before m on its
 * channel is accepted by r: MPI's order of posting and its rule that messages do not overtake. A
 * pair that may match stays so until one of the two is matched, so nothing is lost by waiting. A
 * receive that names its source has one such message at most, ever, and takes it at once, unless it
 * may be cancelled.
 */
public final class Matching {
  /** The receive that takes a message which has just come, if nobody has to choose. */
  static @Nullable PendingReceive taker(Mailbox mailbox, Message message) {
    PendingReceive first = mailbox.firstReceive(message);
    return first == null
            || first.isLate
            || mailbox.firstMessage(first.comm.context, first.source, first.tag) != null
        ? null
        : first;
  }

  /** The message that a receive takes which is about to be posted, if nobody has to choose. */
  static @Nullable Message message(Mailbox mailbox, PendingReceive receive) {
    if (receive.isLate) {
      return null;
    }
    Message first = mailbox.firstMessage(receive.comm.context, receive.source, receive.tag);
    return first == null || mailbox.firstReceive(first) != null ? null : first;
  }

  /**
   * A pair that matches without a choice, after another receive has gone; null if there is none.
   */
  public static @Nullable Pair settled(Mailbox mailbox) {
    if (!mailbox.hasNamed()) {
      return null;
    }
    for (Message message = mailbox.oldest(); message != null; message = message.next) {
      PendingReceive first = mailbox.firstReceive(message);
      if (first != null
          && !first.isLate
          && mailbox.firstMessage(first.comm.context, first.source, first.tag) == message) {
        return new Pair(first, message);
      }
    }
    return null;
  }

  /** A receive and the message it takes. */
  public record Pair(PendingReceive receive, Message message) {}

  /** The messages that a posted receive may take. */
  public static List<Message> candidates(Mailbox mailbox, PendingReceive receive) {
    return candidates(
        mailbox, receive.comm.context, receive.source, receive.tag, receive, List.of());
  }

  /**
   * The messages that a receive or probe of a pattern may take or see.
   *
   * @param by the posted receive that asks; null for a probe
   * @param gone pairs that are thought of as matched already
   */
  public static List<Message> candidates(
      Mailbox mailbox,
      CommContext context,
      int source,
      int tag,
      @Nullable PendingReceive by,
      List<Pair> gone) {
    List<Message> candidates = new ArrayList<>();
    BitSet sources = new BitSet();
    for (Message message = mailbox.oldest(); message != null; message = message.next) {
      boolean accepted =
          message.context == context
              && (source == Fabric.ANY_SOURCE || source == message.source)
              && (tag == Fabric.ANY_TAG || tag == message.tag);
      if (!accepted || sources.get(message.source) || isGone(message, gone)) {
        continue;
      }
      sources.set(message.source);
      if (first(mailbox, message, gone) == by) {
        candidates.add(message);
      }
    }
    return candidates;
  }

  private static boolean isGone(Message message, List<Pair> gone) {
    for (Pair pair : gone) {
      if (pair.message == message) {
        return true;
      }
    }
    return false;
  }

  private static boolean isGone(PendingReceive receive, List<Pair> gone) {
    for (Pair pair : gone) {
      if (pair.receive == receive) {
        return true;
      }
    }
    return false;
  }

  /** The first posted receive that accepts the message, those that are gone left out. */
  private static @Nullable PendingReceive first(Mailbox mailbox, Message message, List<Pair> gone) {
    if (gone.isEmpty()) {
      return mailbox.firstReceive(message);
    }
    PendingReceive first = null;
    for (PendingReceive receive : posted(mailbox, message.context, message.source)) {
      if (receive.accepts(message)
          && !isGone(receive, gone)
          && (first == null || receive.place < first.place)) {
        first = receive;
      }
    }
    return first;
  }

  private static List<PendingReceive> posted(Mailbox mailbox, CommContext context, int source) {
    List<PendingReceive> posted = new ArrayList<>();
    for (PendingReceive r = mailbox.firstNamed(context, source); r != null; r = r.next) {
      posted.add(r);
    }
    for (PendingReceive r = mailbox.firstFromAnySource(); r != null; r = r.next) {
      posted.add(r);
    }
    return posted;
  }

  private Matching() {}
}
