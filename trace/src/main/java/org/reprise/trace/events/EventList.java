package org.reprise.trace.events;

import java.util.List;

/** Events of one rank that are held in memory, for those that make them and for tests. */
public final class EventList implements EventCursor {
  private final int rank;
  private final int ranks;
  private final List<Communicator> communicators;
  private final List<Event> events;
  private int at = -1;

  public EventList(int rank, int ranks, List<Communicator> communicators, List<Event> events) {
    this.rank = rank;
    this.ranks = ranks;
    this.communicators = List.copyOf(communicators);
    this.events = List.copyOf(events);
  }

  private Event event() {
    return events.get(at);
  }

  @Override
  public int rank() {
    return rank;
  }

  @Override
  public int ranks() {
    return ranks;
  }

  @Override
  public boolean advance() {
    return ++at < events.size();
  }

  @Override
  public long number() {
    return at;
  }

  @Override
  public EventKind kind() {
    return event().kind();
  }

  @Override
  public int flags() {
    return event().flagBits();
  }

  @Override
  public int call() {
    return event().call();
  }

  @Override
  public int site() {
    return event().site();
  }

  @Override
  public int peer() {
    return event().peer();
  }

  @Override
  public int tag() {
    return event().tag();
  }

  @Override
  public CollectiveFlow flow() {
    return event().flow();
  }

  @Override
  public int comm() {
    return event().comm();
  }

  @Override
  public long post() {
    return event().post();
  }

  @Override
  public long bytes() {
    return event().bytes();
  }

  @Override
  public long startNanos() {
    return event().startNanos();
  }

  @Override
  public long durationNanos() {
    return event().durationNanos();
  }

  @Override
  public int thread() {
    return event().thread();
  }

  @Override
  public int peerCount() {
    return event().peers().size();
  }

  @Override
  public int peer(int index) {
    return event().peers().get(index);
  }

  @Override
  public Communicator communicator(int index) {
    return communicators.get(index);
  }

  @Override
  public int communicators() {
    return communicators.size();
  }
}
