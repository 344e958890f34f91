package org.reprise.causality;

import org.reprise.trace.events.CollectiveFlow;
import org.reprise.trace.events.Communicator;
import org.reprise.trace.events.EventCursor;
import org.reprise.trace.events.EventFlag;
import org.reprise.trace.events.EventKind;

/** The events of one rank of a table, as a reader of its file would show them. */
public final class TableCursor implements EventCursor {
  private final EventTable events;
  private final int rank;
  private int event;

  public TableCursor(EventTable events, int rank) {
    this.events = events;
    this.rank = rank;
    event = events.first(rank) - 1;
  }

  @Override
  public int rank() {
    return rank;
  }

  @Override
  public int ranks() {
    return events.ranks();
  }

  @Override
  public boolean advance() {
    return ++event < events.first(rank + 1);
  }

  @Override
  public long number() {
    return events.number(event);
  }

  @Override
  public EventKind kind() {
    return events.kind(event);
  }

  @Override
  public int flags() {
    int flags = 0;
    for (EventFlag flag : EventFlag.values()) {
      flags |= events.is(event, flag) ? flag.bit() : 0;
    }
    return flags;
  }

  @Override
  public int call() {
    return events.call(event);
  }

  @Override
  public int site() {
    return events.site(event);
  }

  @Override
  public int peer() {
    return events.peer(event);
  }

  @Override
  public int tag() {
    return events.tag(event);
  }

  @Override
  public CollectiveFlow flow() {
    return events.flow(event);
  }

  @Override
  public int comm() {
    return events.comm(event);
  }

  /** An event further on that names this one is its end, and not what it names. */
  @Override
  public long post() {
    int link = events.link(event);
    return link != EventTable.NONE && link < event ? events.number(link) : NO_EVENT;
  }

  @Override
  public long bytes() {
    return events.bytes(event);
  }

  @Override
  public long startNanos() {
    return events.startNanos(event);
  }

  @Override
  public long durationNanos() {
    return events.endNanos(event) - events.startNanos(event);
  }

  @Override
  public int thread() {
    return 0;
  }

  @Override
  public int peerCount() {
    return events.listed(event).length;
  }

  @Override
  public int peer(int index) {
    return events.listed(event)[index];
  }

  @Override
  public Communicator communicator(int index) {
    return events.communicators().get(index);
  }

  @Override
  public int communicators() {
    return events.communicators().size();
  }
}
