package org.reprise.trace.events;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * One event of a rank, for listing, writing and tests; analyses of many events use an {@link
 * EventCursor}, which documents the fields. {@code peers} are the ranks that a collective of flow
 * LISTED gets data from, or the requests that a poll asked for.
 */
public record Event(
    long number,
    EventKind kind,
    Set<EventFlag> flags,
    int call,
    int site,
    int peer,
    int tag,
    CollectiveFlow flow,
    int comm,
    long post,
    long bytes,
    long startNanos,
    long durationNanos,
    int thread,
    List<Integer> peers) {
  public Event {
    flags = Set.copyOf(flags);
    peers = List.copyOf(peers);
  }

  /** The event under a cursor. */
  public static Event at(EventCursor cursor) {
    Set<EventFlag> flags = EnumSet.noneOf(EventFlag.class);
    for (EventFlag flag : EventFlag.values()) {
      if (cursor.is(flag)) {
        flags.add(flag);
      }
    }
    return new Event(
        cursor.number(),
        cursor.kind(),
        flags,
        cursor.call(),
        cursor.site(),
        cursor.peer(),
        cursor.tag(),
        cursor.flow(),
        cursor.comm(),
        cursor.post(),
        cursor.bytes(),
        cursor.startNanos(),
        cursor.durationNanos(),
        cursor.thread(),
        IntStream.range(0, cursor.peerCount()).mapToObj(cursor::peer).toList());
  }

  int flagBits() {
    return flags.stream().mapToInt(EventFlag::bit).sum();
  }
}
