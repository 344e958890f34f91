package org.reprise.causality;

import java.util.Arrays;
import java.util.BitSet;
import org.reprise.causality.columns.IntList;
import org.reprise.trace.events.EventFlag;
import org.reprise.trace.events.EventKind;

/**
 * What of a run could not have happened without one certain outcome. A moment is the entry or the
 * return of a call, or the match of a receive with its message; the edges between them are those
 * that order a run ({@link EventGraph}). What is left of a run without the future of an outcome is
 * the largest part of it that does not need that outcome, and a state that the program can reach.
 *
 * <p>Clocks answer whether one call precedes another; here everything that follows one moment is
 * wanted, and matches are moments of their own: a receive that was posted early may be matched
 * late, though nothing of its rank's calls tells so. So the edges are laid out once and walked.
 */
public final class Futures {
  private final EventGraph graph;
  private final EventTable events;
  private final Pairing pairing;

  /** By node: where its edges begin. Entries are 2e, returns 2e + 1, matches by message behind. */
  private final int[] start;

  private final int[] target;

  public Futures(EventGraph graph) {
    this.graph = graph;
    events = graph.events();
    pairing = graph.pairing();
    IntList from = new IntList();
    IntList to = new IntList();
    layOut(from, to);
    start = new int[2 * events.size() + pairing.messages() + 1];
    target = new int[from.size()];
    for (int i = 0; i < from.size(); i++) {
      start[from.get(i) + 1]++;
    }
    for (int node = 1; node < start.length; node++) {
      start[node] += start[node - 1];
    }
    int[] next = start.clone();
    for (int i = 0; i < from.size(); i++) {
      target[next[from.get(i)]++] = to.get(i);
    }
  }

  private static int entry(int event) {
    return 2 * event;
  }

  private static int leave(int event) {
    return 2 * event + 1;
  }

  private int match(int message) {
    return 2 * events.size() + message;
  }

  private void layOut(IntList from, IntList to) {
    IntList some = new IntList();
    for (int message = 0; message < pairing.messages(); message++) {
      int receive = pairing.receive(message);
      if (receive >= 0) {
        matchEdges(message, receive, from, to);
      }
    }
    for (int event = 0; event < events.size(); event++) {
      EventKind kind = events.kind(event);
      boolean takes = Pairing.isReceive(kind);
      if ((takes || kind == EventKind.PROBE) && pairing.message(event) >= 0) {
        int at = takes ? match(pairing.message(event)) : leave(event);
        graph.order().predecessors(event, some);
        for (int i = 0; i < some.size(); i++) {
          edge(match(pairing.message(some.get(i))), at, from, to);
        }
        if (!takes) {
          edge(entry(pairing.send(pairing.message(event))), at, from, to);
        }
      } else if (endsCollective(event)) {
        graph.sources(event, some);
        for (int i = 0; i < some.size(); i++) {
          edge(entry(some.get(i)), leave(event), from, to);
        }
      }
    }
  }

  private void matchEdges(int message, int receive, IntList from, IntList to) {
    int sent = pairing.send(message);
    int node = match(message);
    edge(entry(sent), node, from, to);
    edge(entry(receive), node, from, to);
    int completion = MatchOrder.completion(events, receive);
    if (completion < events.size()) {
      edge(node, leave(completion), from, to);
    }
    if (events.is(sent, EventFlag.SYNC)) {
      int over = events.kind(sent) == EventKind.SEND ? sent : events.link(sent);
      if (over >= 0) {
        edge(node, leave(over), from, to);
      }
    }
  }

  private boolean endsCollective(int event) {
    EventKind kind = events.kind(event);
    return kind == EventKind.COLLECTIVE
        || kind == EventKind.COMPLETE && events.kind(events.link(event)).isCollective();
  }

  private static void edge(int a, int b, IntList from, IntList to) {
    from.add(a);
    to.add(b);
  }

  public EventGraph graph() {
    return graph;
  }

  /** What follows the outcome of a receive that takes a message, of a probe, or of another call. */
  public Future of(int event) {
    return new Future(node(event));
  }

  /** What follows the return of a call. */
  public Future ofReturn(int event) {
    return new Future(leave(event));
  }

  /** What follows the outcomes of any of these. */
  public Future ofAll(int... outcomes) {
    int[] nodes = new int[outcomes.length];
    for (int i = 0; i < nodes.length; i++) {
      nodes[i] = node(outcomes[i]);
    }
    return new Future(nodes);
  }

  private int node(int event) {
    return Pairing.isReceive(events.kind(event)) && pairing.message(event) >= 0
        ? match(pairing.message(event))
        : leave(event);
  }

  /** All moments that follow some, themselves included. */
  public final class Future {
    /** By rank: its first moment in the future, counted as in {@link Cut}. */
    private final int[] first;

    private final BitSet matches = new BitSet();

    private Future(int... nodes) {
      first = new int[events.ranks()];
      for (int rank = 0; rank < first.length; rank++) {
        first[rank] = 2 * events.size(rank);
      }
      IntList open = new IntList();
      for (int node : nodes) {
        reach(node, open);
      }
      while (!open.isEmpty()) {
        int at = open.pop();
        for (int i = start[at]; i < start[at + 1]; i++) {
          reach(target[i], open);
        }
      }
    }

    /** Of a rank all moments behind this one are in the future, too: they are opened with it. */
    private void reach(int node, IntList open) {
      if (node >= 2 * events.size()) {
        int message = node - 2 * events.size();
        if (!matches.get(message)) {
          matches.set(message);
          open.add(node);
        }
        return;
      }
      int rank = events.rank(node >> 1);
      int base = 2 * events.first(rank);
      int moment = node - base;
      for (int at = moment; at < first[rank]; at++) {
        open.add(base + at);
      }
      first[rank] = Math.min(first[rank], moment);
    }

    /** How many moments it has: what follows one of them has fewer. */
    public long size() {
      long size = matches.cardinality();
      for (int rank = 0; rank < first.length; rank++) {
        size += 2L * events.size(rank) - first[rank];
      }
      return size;
    }

    /** How many calls of a rank have returned without the outcome. */
    public int returned(int rank) {
      return first[rank] >> 1;
    }

    /** Whether a call cannot have begun without the outcome. */
    public boolean holdsEntry(int event) {
      return entry(event) - 2 * events.first(events.rank(event)) >= first[events.rank(event)];
    }

    /** Whether a call cannot have returned without the outcome. */
    public boolean holdsReturn(int event) {
      return leave(event) - 2 * events.first(events.rank(event)) >= first[events.rank(event)];
    }

    /** Whether a receive cannot have got its message without the outcome, or got none at all. */
    public boolean holdsMatch(int receive) {
      int message = pairing.message(receive);
      return message < 0 || matches.get(message);
    }

    @Override
    public String toString() {
      return Arrays.toString(first) + " " + matches;
    }
  }
}
