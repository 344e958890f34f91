package org.reprise.causality;

import java.util.Arrays;
import org.reprise.causality.columns.LongIntMap;
import org.reprise.trace.events.CollectiveFlow;
import org.reprise.trace.events.Communicator;

/**
 * Which calls of a collective belong together: the k-th on a communicator of every member. Such a
 * set of calls is an <em>instance</em>, which is a number.
 */
final class Collectives {
  private final EventTable events;
  private final int[] commOfInstance;
  private final int[] firstInstance;
  private final int[] calls;
  private final LongIntMap firstCall = new LongIntMap();
  private final int[] expected;
  private final int[] root;
  private final boolean[] each;

  /** How many collectives each rank made on each communicator. */
  private final LongIntMap counts = new LongIntMap();

  Collectives(EventTable events) {
    this.events = events;
    int comms = events.communicators().size();
    int[] most = new int[comms];
    int total = 0;
    for (int rank = 0; rank < events.ranks(); rank++) {
      for (int e = events.first(rank); e < events.first(rank + 1); e++) {
        if (events.kind(e).isCollective()) {
          long key = key(events.comm(e), rank);
          int k = Math.max(0, counts.get(key));
          counts.put(key, k + 1);
          most[events.comm(e)] = Math.max(most[events.comm(e)], k + 1);
          total++;
        }
      }
    }
    firstInstance = new int[comms + 1];
    for (int comm = 0; comm < comms; comm++) {
      firstInstance[comm + 1] = firstInstance[comm] + most[comm];
    }
    int instances = firstInstance[comms];
    expected = new int[instances];
    root = new int[instances];
    Arrays.fill(root, EventTable.NONE);
    each = new boolean[instances];
    commOfInstance = new int[instances];
    calls = new int[total];
    number();
  }

  private void number() {
    int place = 0;
    LongIntMap met = new LongIntMap();
    for (int rank = 0; rank < events.ranks(); rank++) {
      for (int e = events.first(rank); e < events.first(rank + 1); e++) {
        if (!events.kind(e).isCollective()) {
          continue;
        }
        int comm = events.comm(e);
        long key = key(comm, rank);
        int k = Math.max(0, met.get(key));
        met.put(key, k + 1);
        if (k == 0) {
          firstCall.put(key, place);
          place += counts.get(key);
        }
        calls[firstCall.get(key) + k] = e;
        int instance = firstInstance[comm] + k;
        commOfInstance[instance] = comm;
        expected[instance]++;
        CollectiveFlow flow = events.flow(e);
        if (flow == CollectiveFlow.FROM_ROOT && events.peer(e) >= 0) {
          root[instance] = events.peer(e);
        }
        each[instance] |= flow == CollectiveFlow.LISTED || flow == CollectiveFlow.SCAN;
      }
    }
  }

  private static long key(int comm, int rank) {
    return (long) comm << 32 | rank;
  }

  int instances() {
    return expected.length;
  }

  /** The instance of a collective call. */
  int instance(int event) {
    int comm = events.comm(event);
    long key = key(comm, events.rank(event));
    int first = firstCall.get(key);
    int place = Arrays.binarySearch(calls, first, first + counts.get(key), event);
    return firstInstance[comm] + place - first;
  }

  /** How many members made the call. */
  int expected(int instance) {
    return expected[instance];
  }

  /** The rank from which the others get data, or -1. */
  int root(int instance) {
    return root[instance];
  }

  /** Whether somebody gets data from some members, but not from all. */
  boolean each(int instance) {
    return each[instance];
  }

  Communicator communicator(int instance) {
    return events.communicators().get(commOfInstance[instance]);
  }

  /** The call of one member, or -1 if it made none. */
  int call(int instance, int rank) {
    int comm = commOfInstance[instance];
    int k = instance - firstInstance[comm];
    long key = key(comm, rank);
    return k < counts.get(key) ? calls[firstCall.get(key) + k] : EventTable.NONE;
  }

  /** On which of an intercommunicator's sides a rank is: 0 or 1; 0 of another communicator. */
  int side(int instance, int rank) {
    Communicator comm = communicator(instance);
    return comm.inter() && comm.group().indexOf(rank) < 0 ? 1 : 0;
  }
}
