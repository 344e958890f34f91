package org.reprise.recovery;

import java.util.HashMap;
import java.util.Map;
import org.reprise.causality.Deliveries;
import org.reprise.causality.EventTable;

/**
 * The consistent cut between two others with the fewest bytes in transit: a minimum cut of a
 * network whose nodes are the events in between. Events on the source's side are in front of the
 * cut. An event brings along those before it on its rank and those that it got data of; that is an
 * edge that must not be cut. A message that is sent in front of the cut and received behind it
 * costs its bytes, and one more, so that empty ones count. So does what a collective hands over, as
 * far as it is received in between; members that all get something of each other are never parted.
 */
final class CheapestCut {
  /** A network of more events takes too long; whoever asks comes closer together then. */
  static final int EVENTS_MAX = 200_000;

  private static final int SOURCE = 0;
  private static final int SINK = 1;

  private final Timeline timeline;
  private final EventTable events;
  private final Deliveries deliveries;
  private final int[] low;
  private final int[] high;
  private final int[] firstNode;
  private final FlowNetwork network;

  /** By instance of a symmetric collective: the node of all its members. */
  private final Map<Integer, Integer> together = new HashMap<>();

  private CheapestCut(Timeline timeline, int[] low, int[] high) {
    this.timeline = timeline;
    this.events = timeline.events();
    this.deliveries = timeline.deliveries();
    this.low = low;
    this.high = high;
    firstNode = new int[low.length];
    int nodes = 2;
    for (int rank = 0; rank < low.length; rank++) {
      firstNode[rank] = nodes;
      nodes += high[rank] - low[rank];
    }
    network = new FlowNetwork(nodes);
  }

  /** The positions of that cut; both given ones are consistent, the first within the second. */
  static int[] between(Timeline timeline, int[] low, int[] high) {
    CheapestCut search = new CheapestCut(timeline, low, high);
    for (int rank = 0; rank < low.length; rank++) {
      for (int number = low[rank]; number < high[rank]; number++) {
        search.connect(rank, number);
      }
    }
    boolean[] inFront = search.network.cut(SOURCE, SINK);
    int[] positions = low.clone();
    for (int rank = 0; rank < low.length; rank++) {
      while (positions[rank] < high[rank] && inFront[search.node(rank, positions[rank])]) {
        positions[rank]++;
      }
    }
    return positions;
  }

  private int node(int rank, int number) {
    return number < low[rank] ? SOURCE : number < high[rank] ? offset(rank, number) : SINK;
  }

  private int offset(int rank, int number) {
    return firstNode[rank] + number - low[rank];
  }

  private int node(int event) {
    int rank = events.rank(event);
    return node(rank, event - events.first(rank));
  }

  private void connect(int rank, int number) {
    int event = events.event(rank, number);
    int node = node(rank, number);
    if (number > low[rank]) {
      network.edge(node, node - 1, FlowNetwork.INFINITE);
      if (timeline.callStart(event) != event) {
        network.edge(node - 1, node, FlowNetwork.INFINITE);
      }
    }
    int call = deliveries.collective(event);
    if (call >= 0 && deliveries.isSymmetric(call)) {
      int all = together.computeIfAbsent(deliveries.instance(call), _ -> network.node());
      network.edge(node, all, FlowNetwork.INFINITE);
    } else {
      int message = deliveries.message(event);
      boolean received = message < 0 || deliveries.received(message) == event;
      timeline.sources(
          event,
          source -> {
            network.edge(node, node(source), FlowNetwork.INFINITE);
            network.edge(node(source), node, received ? events.bytes(source) + 1 : 0);
          });
    }
    if (events.kind(event).isSend()) {
      int message = timeline.graph().pairing().message(event);
      int receive = message < 0 ? EventTable.NONE : deliveries.received(message);
      if (receive >= 0 && node(receive) == SINK) {
        network.edge(node, SINK, events.bytes(event) + 1);
      }
    } else if (events.kind(event).isCollective() && deliveries.isSymmetric(event)) {
      int all = together.computeIfAbsent(deliveries.instance(event), _ -> network.node());
      network.edge(all, node, FlowNetwork.INFINITE);
    }
  }
}
