package org.reprise.analysis;

import org.reprise.trace.events.CollectiveFlow;
import org.reprise.trace.events.Communicator;
import org.reprise.trace.events.EventCursor;
import org.reprise.trace.events.EventKind;

/** The first events of a rank, as if there were no others. */
final class FirstEvents implements EventCursor {
  private final EventCursor all;
  private final int count;
  private int passed;

  FirstEvents(EventCursor all, int count) {
    this.all = all;
    this.count = count;
  }

  @Override
  public boolean advance() {
    return passed++ < count && all.advance();
  }

  @Override
  public int rank() {
    return all.rank();
  }

  @Override
  public int ranks() {
    return all.ranks();
  }

  @Override
  public long number() {
    return all.number();
  }

  @Override
  public EventKind kind() {
    return all.kind();
  }

  @Override
  public int flags() {
    return all.flags();
  }

  @Override
  public int call() {
    return all.call();
  }

  @Override
  public int site() {
    return all.site();
  }

  @Override
  public int peer() {
    return all.peer();
  }

  @Override
  public int tag() {
    return all.tag();
  }

  @Override
  public CollectiveFlow flow() {
    return all.flow();
  }

  @Override
  public int comm() {
    return all.comm();
  }

  @Override
  public long post() {
    return all.post();
  }

  @Override
  public long bytes() {
    return all.bytes();
  }

  @Override
  public long startNanos() {
    return all.startNanos();
  }

  @Override
  public long durationNanos() {
    return all.durationNanos();
  }

  @Override
  public int thread() {
    return all.thread();
  }

  @Override
  public int peerCount() {
    return all.peerCount();
  }

  @Override
  public int peer(int index) {
    return all.peer(index);
  }

  @Override
  public Communicator communicator(int index) {
    return all.communicator(index);
  }

  @Override
  public int communicators() {
    return all.communicators();
  }
}
