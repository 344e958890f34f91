package org.reprise.causality;

import org.reprise.causality.columns.LongIntMap;

/**
 * The last receive that a rank posted for each pattern of communicator, source and tag. A message
 * is accepted by receives of four patterns: its source or any, its tag or any.
 */
public final class PostedReceives {
  /** How many patterns accept a message. */
  public static final int PATTERNS = 4;

  private static final int ANY = EventTable.NONE;

  private final EventTable events;
  private final LongIntMap classes = new LongIntMap();
  private final LongIntMap last = new LongIntMap();

  public PostedReceives(EventTable events) {
    this.events = events;
  }

  public boolean isEmpty() {
    return last.size() == 0;
  }

  public void put(int receive, int source, int tag) {
    int id = classes.putIfAbsent(key(events.comm(receive), tag), classes.size());
    last.put(key(id, source), receive);
  }

  /** Keeps the receive only if it is the first with its pattern. */
  void putFirst(int receive, int source, int tag) {
    int id = classes.putIfAbsent(key(events.comm(receive), tag), classes.size());
    last.putIfAbsent(key(id, source), receive);
  }

  /** The last receive with the i-th pattern that accepts such a message, or -1. */
  public int get(int i, int comm, int source, int tag) {
    int id = classes.get(key(comm, (i & 1) == 0 ? tag : ANY));
    return id == LongIntMap.ABSENT ? ANY : last.get(key(id, (i & 2) == 0 ? source : ANY));
  }

  private static long key(int high, int low) {
    return (long) high << 32 | (low + 1) & 0xffff_ffffL;
  }
}
