package org.reprise.causality.races;

import java.util.OptionalLong;
import java.util.PrimitiveIterator;
import org.reprise.causality.EventGraph;
import org.reprise.causality.EventTable;
import org.reprise.causality.Pairing;
import org.reprise.trace.events.EventFlag;
import org.reprise.trace.events.EventKind;

/**
 * How much of a run is open, and how little must be recorded of it: this run's control set beside
 * what the papers' ways of tracing would have recorded. A count that would take too long is absent.
 *
 * @param messages messages sent
 * @param unreceived those that nobody received
 * @param receives receives that got a message
 * @param wildcards receives and probes from any source that got a message
 * @param racingReceives wildcard receives that race
 * @param racingProbes probes, and polls that saw a message, that race
 * @param uncertain receives and probes of which it is uncertain
 * @param controlSet receives and probes that a replay must force
 * @param controlBlocks entries that these take when consecutive ones of one source are one entry
 * @param polls polls that failed
 * @param chosen completions that a Test, Waitany or Waitsome chose
 * @param laterPrinted traced by Netzer and Miller (1992), Fig. 3
 * @param laterNoOvertaking the same, for channels without overtaking
 * @param earlierPrinted traced by Clémençon and others (1995), 4.1, as printed
 * @param earlierCorrected the same, corrected
 * @param matching size of a maximal matching of the races: a least cover has as many messages at
 *     least and twice as many at most
 * @param leastCover size of the least set of messages with one of every racing pair
 */
public record Statistics(
    long messages,
    long unreceived,
    long receives,
    long wildcards,
    long racingReceives,
    long racingProbes,
    long uncertain,
    long controlSet,
    long controlBlocks,
    long polls,
    long chosen,
    long laterPrinted,
    OptionalLong laterNoOvertaking,
    OptionalLong earlierPrinted,
    OptionalLong earlierCorrected,
    OptionalLong matching,
    OptionalLong leastCover) {
  /** How many alternatives are tried one by one; runs with more have no cover. */
  private static final long ALTERNATIVES_MAX = 200_000_000;

  public static Statistics of(Races races, Races controlSet) {
    EventGraph graph = races.graph();
    EventTable events = graph.events();
    Pairing pairing = graph.pairing();
    long received = 0;
    for (int m = 0; m < pairing.messages(); m++) {
      received += pairing.receive(m) >= 0 ? 1 : 0;
    }
    long polls = 0;
    long chosen = 0;
    for (int e = 0; e < events.size(); e++) {
      EventKind kind = events.kind(e);
      polls += kind == EventKind.POLLS ? events.bytes(e) : 0;
      chosen += kind == EventKind.COMPLETE && events.is(e, EventFlag.POLL) ? 1 : 0;
    }
    long probes = races.receives().filter(e -> events.kind(e) == EventKind.PROBE).count();
    PaperTraces papers = new PaperTraces(graph);
    OptionalLong matching = OptionalLong.empty();
    OptionalLong least = OptionalLong.empty();
    if (races.alternatives() <= ALTERNATIVES_MAX) {
      RaceCover cover = RaceCover.of(graph);
      matching = OptionalLong.of(cover.matching());
      least = cover.least();
    }
    return new Statistics(
        pairing.messages(),
        pairing.messages() - received,
        received,
        wildcards(graph),
        races.size() - probes,
        probes,
        races.uncertain().count(),
        controlSet.size(),
        blocks(controlSet),
        polls,
        chosen,
        papers.laterMessage(),
        papers.laterMessageWithoutOvertaking(),
        papers.earlierMessage(true),
        papers.earlierMessage(false),
        matching,
        least);
  }

  /** Receives and probes from any source that got a message. */
  public static long wildcards(EventGraph graph) {
    EventTable events = graph.events();
    long wildcards = 0;
    for (int e = 0; e < events.size(); e++) {
      boolean gets = Pairing.isReceive(events.kind(e)) || events.kind(e) == EventKind.PROBE;
      boolean wild = gets && events.is(e, EventFlag.ANY_SOURCE);
      wildcards += wild && graph.pairing().message(e) >= 0 ? 1 : 0;
    }
    return wildcards;
  }

  private static long blocks(Races controlSet) {
    EventTable events = controlSet.graph().events();
    Pairing pairing = controlSet.graph().pairing();
    long blocks = 0;
    int lastRank = EventTable.NONE;
    int lastSource = EventTable.NONE;
    for (PrimitiveIterator.OfInt all = controlSet.receives().iterator(); all.hasNext(); ) {
      int receive = all.nextInt();
      int source = events.rank(pairing.send(pairing.message(receive)));
      int rank = events.rank(receive);
      if (rank != lastRank || source != lastSource) {
        blocks++;
        lastRank = rank;
        lastSource = source;
      }
    }
    return blocks;
  }
}
