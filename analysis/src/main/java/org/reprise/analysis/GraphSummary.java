package org.reprise.analysis;

import org.reprise.causality.EventGraph;
import org.reprise.causality.EventTable;
import org.reprise.causality.Pairing;

/**
 * The event graph of a run in numbers.
 *
 * @param collectives collective calls, of all ranks together
 * @param unreceived messages that nobody received
 */
public record GraphSummary(int ranks, int events, int collectives, int messages, int unreceived) {
  public static GraphSummary of(EventGraph graph) {
    EventTable events = graph.events();
    int collectives = 0;
    for (int event = 0; event < events.size(); event++) {
      if (events.kind(event).isCollective()) {
        collectives++;
      }
    }
    Pairing pairing = graph.pairing();
    int unreceived = 0;
    for (int message = 0; message < pairing.messages(); message++) {
      if (pairing.receive(message) == Pairing.NONE) {
        unreceived++;
      }
    }
    return new GraphSummary(
        events.ranks(), events.size(), collectives, pairing.messages(), unreceived);
  }
}
