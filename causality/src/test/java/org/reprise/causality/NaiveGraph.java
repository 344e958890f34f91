package org.reprise.causality;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The order of an execution as the definition has it: a node for the entry and the return of every
 * call and for every match, all edges, and a search.
 */
final class NaiveGraph {
  private final List<List<Integer>> edges = new ArrayList<>();
  private final int[] first;
  private final Map<Integer, Integer> match = new HashMap<>();
  private final Execution execution;
  private BitSet[] reached = new BitSet[0];

  NaiveGraph(Execution execution) {
    this.execution = execution;
    List<List<Machine.Call>> calls = execution.calls;
    first = new int[calls.size() + 1];
    for (int rank = 0; rank < calls.size(); rank++) {
      first[rank + 1] = first[rank] + 2 * calls.get(rank).size();
    }
    for (int i = 0; i < first[calls.size()]; i++) {
      edges.add(new ArrayList<>());
    }
    for (int rank = 0; rank < calls.size(); rank++) {
      for (int i = first[rank]; i + 1 < first[rank + 1]; i++) {
        edges.get(i).add(i + 1);
      }
    }
    execution.outcomes.forEach(
        (receive, message) -> {
          if (message != Machine.NONE && !isProbe(receive)) {
            match.put(receive, edges.size());
            edges.add(new ArrayList<>());
          }
        });
    execution.outcomes.forEach(this::connect);
    collectives();
    close();
  }

  private record Place(int rank, int call) {}

  private Place place(Step.Op op, Step.Op otherOp, Step.Op thirdOp, int id) {
    List<Machine.Call> calls = execution.calls.get(id / 100);
    for (int i = 0; i < calls.size(); i++) {
      Step.Op made = calls.get(i).op();
      if (calls.get(i).id() == id && (made == op || made == otherOp || made == thirdOp)) {
        return new Place(id / 100, i);
      }
    }
    throw new AssertionError("no call " + id);
  }

  private Place receive(int id) {
    return place(Step.Op.RECV, Step.Op.IRECV, Step.Op.PROBE, id);
  }

  private Place send(int id) {
    return place(Step.Op.SEND, Step.Op.ISEND, Step.Op.ISEND, id);
  }

  private Machine.Call call(Place place) {
    return execution.calls.get(place.rank).get(place.call);
  }

  private boolean isProbe(int receive) {
    return call(receive(receive)).op() == Step.Op.PROBE;
  }

  private int entry(Place place) {
    return first[place.rank] + 2 * place.call;
  }

  /** Where the program learns of the end of a call: its own return, or that of its wait. */
  private int completion(Place place) {
    Machine.Call call = call(place);
    if (call.op() != Step.Op.IRECV && call.op() != Step.Op.ISEND) {
      return entry(place) + 1;
    }
    List<Machine.Call> calls = execution.calls.get(place.rank);
    for (int i = 0; i < calls.size(); i++) {
      if (calls.get(i).op() == Step.Op.WAIT && calls.get(i).post() == place.call) {
        return first[place.rank] + 2 * i + 1;
      }
    }
    return -1;
  }

  private boolean accepts(Machine.Call receive, Machine.Call sent) {
    return (receive.askedPeer() == Step.ANY || receive.askedPeer() == sent.id() / 100)
        && (receive.askedTag() == Step.ANY || receive.askedTag() == sent.tag());
  }

  private void connect(int receive, int message) {
    if (message == Machine.NONE) {
      return;
    }
    Place posted = receive(receive);
    Place sent = send(message);
    boolean probe = isProbe(receive);
    int mine = probe ? entry(posted) + 1 : Execution.of(match, receive);
    edges.get(entry(sent)).add(mine);
    if (!probe) {
      edges.get(entry(posted)).add(mine);
      if (completion(posted) >= 0) {
        edges.get(mine).add(completion(posted));
      }
      if (call(sent).sync() && completion(sent) >= 0) {
        edges.get(mine).add(completion(sent));
      }
    }
    match.forEach(
        (other, theirs) -> {
          if (other.equals(receive) || other / 100 != receive / 100) {
            return;
          }
          Place otherPosted = receive(other);
          boolean before = otherPosted.call < posted.call;
          if (before && accepts(call(otherPosted), call(sent))) {
            edges.get(theirs).add(mine);
          }
          int taken = Execution.of(execution.outcomes, other);
          boolean sentBefore = taken / 100 == message / 100 && taken < message;
          if (sentBefore && accepts(call(posted), call(send(taken)))) {
            edges.get(theirs).add(mine);
          }
        });
  }

  private void collectives() {
    for (int rank = 0; rank < execution.calls.size(); rank++) {
      for (int i = 0; i < execution.calls.get(rank).size(); i++) {
        Machine.Call mine = execution.calls.get(rank).get(i);
        for (int other = 0; other < execution.calls.size(); other++) {
          for (int j = 0; j < execution.calls.get(other).size(); j++) {
            Machine.Call theirs = execution.calls.get(other).get(j);
            boolean same = theirs.op() == mine.op() && theirs.id() == mine.id();
            boolean gives =
                switch (mine.op()) {
                  case BARRIER -> same;
                  case BCAST -> same && other == mine.peer();
                  case REDUCE -> same && rank == mine.peer();
                  default -> false;
                };
            if (gives) {
              edges.get(first[other] + 2 * j).add(first[rank] + 2 * i + 1);
            }
          }
        }
      }
    }
  }

  private void close() {
    reached = new BitSet[edges.size()];
    for (int from = 0; from < reached.length; from++) {
      reached[from] = new BitSet();
      List<Integer> open = new ArrayList<>(List.of(from));
      while (!open.isEmpty()) {
        int node = open.removeLast();
        if (!reached[from].get(node)) {
          reached[from].set(node);
          open.addAll(edges.get(node));
        }
      }
    }
  }

  boolean reaches(int rank, int call, boolean atReturn, int toRank, int toCall, boolean toReturn) {
    return reached[first[rank] + 2 * call + (atReturn ? 1 : 0)].get(
        first[toRank] + 2 * toCall + (toReturn ? 1 : 0));
  }

  /**
   * Where ranks stop that have begun so many calls: behind the last if it waits for nothing else.
   */
  Cut stop(int[] begun) {
    int[] moments = new int[begun.length];
    for (int rank = 0; rank < begun.length; rank++) {
      if (begun[rank] > 0) {
        moments[rank] = 2 * begun[rank] - 1;
        boolean free = true;
        for (int other = 0; other < begun.length; other++) {
          for (int call = begun[other]; call < execution.calls.get(other).size(); call++) {
            free &= !reaches(other, call, false, rank, begun[rank] - 1, true);
          }
        }
        moments[rank] += free ? 1 : 0;
      }
    }
    return new Cut(moments);
  }
}
