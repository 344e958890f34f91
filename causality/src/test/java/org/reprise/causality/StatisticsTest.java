package org.reprise.causality;

import static org.assertj.core.api.Assertions.assertThat;
import static org.reprise.causality.Step.ANY;
import static org.reprise.causality.Step.recv;
import static org.reprise.causality.Step.send;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.reprise.causality.races.Races;
import org.reprise.causality.races.RacingSite;
import org.reprise.causality.races.RacingSites;
import org.reprise.causality.races.Site;
import org.reprise.causality.races.Statistics;
import org.reprise.trace.events.EventKind;

/** How the papers' ways of tracing compare, on programs small enough to count by hand. */
class StatisticsTest {
  /**
   * Rank 1 sends a to 0, then x to 2, which then sends b to 0. The sends are ordered, and a and b
   * race all the same: the printed test of Clémençon and others compares the sends.
   */
  @Test
  void thePrintedTestForTheEarlierMessageMissesTheTriangle() {
    Statistics statistics =
        statistics(
            Map.of(0, 100, 1, 200),
            List.of(recv(ANY, 0), recv(ANY, 0)),
            List.of(send(0, 0), send(2, 0)),
            List.of(recv(1, 0), send(0, 0)));
    assertThat(statistics.racingReceives()).isEqualTo(1);
    assertThat(statistics.controlSet()).isEqualTo(1);
    assertThat(statistics.earlierPrinted()).hasValue(0);
    assertThat(statistics.earlierCorrected()).hasValue(1);
    assertThat(statistics.laterPrinted()).isEqualTo(1);
    assertThat(statistics.leastCover()).hasValue(1);
  }

  @Test
  void messagesOfOneSenderAreTracedAsPrintedAndNotWithoutOvertaking() {
    Statistics statistics =
        statistics(
            Map.of(0, 100, 1, 101, 2, 102),
            List.of(recv(ANY, 0), recv(ANY, 0), recv(ANY, 0)),
            List.of(send(0, 0), send(0, 0), send(0, 0)));
    assertThat(statistics.messages()).isEqualTo(3);
    assertThat(statistics.wildcards()).isEqualTo(3);
    assertThat(statistics.racingReceives()).isZero();
    assertThat(statistics.controlSet()).isZero();
    assertThat(statistics.laterPrinted()).isEqualTo(2);
    assertThat(statistics.laterNoOvertaking()).hasValue(0);
    assertThat(statistics.earlierPrinted()).hasValue(0);
  }

  @Test
  void consecutiveReceivesOfOneSourceAreOneBlock() {
    Statistics statistics =
        statistics(
            Map.of(0, 100, 1, 101, 2, 102, 3, 200),
            List.of(recv(ANY, 0), recv(ANY, 0), recv(ANY, 0), recv(ANY, 0)),
            List.of(send(0, 0), send(0, 0), send(0, 0)),
            List.of(send(0, 0)));
    assertThat(statistics.controlSet()).isEqualTo(3);
    assertThat(statistics.controlBlocks()).isEqualTo(1);
    assertThat(statistics.leastCover()).as("the one message of rank 2").hasValue(1);
    assertThat(statistics.matching()).hasValue(1);
    assertThat(statistics.laterNoOvertaking()).hasValue(1);
    assertThat(statistics.earlierCorrected()).hasValue(3);
  }

  @Test
  void aLineThatRacesOftenIsOneFinding() {
    List<Step> receives = new ArrayList<>();
    IntStream.range(0, 6).forEach(_ -> receives.add(recv(ANY, 0)));
    Execution run =
        RacesTest.run(
            Map.of(0, 100, 1, 200, 2, 101, 3, 201, 4, 102, 5, 202),
            receives,
            List.of(send(0, 0), send(0, 0), send(0, 0)),
            List.of(send(0, 0), send(0, 0), send(0, 0)));
    List<RacingSite> findings = RacingSites.of(run.graph, Races.controlSet(run.graph), Site.same());
    assertThat(findings).hasSize(1);
    RacingSite finding = findings.getFirst();
    assertThat(finding.kind()).isEqualTo(RacingSite.Kind.RECEIVE);
    assertThat(finding.count()).as("the last has no other message left").isEqualTo(5);
    assertThat(finding.controlled()).isEqualTo(5);
    assertThat(finding.blocks()).isEqualTo(5);
    assertThat(finding.ranks()).containsExactly(0);
    assertThat(finding.example().took()).isEqualTo(run.messageEvent(100));
    assertThat(finding.example().couldTake()).isEqualTo(run.messageEvent(200));
  }

  @Test
  void twoRunsDivergeWhereTheFirstReceiveWentAnotherWay() {
    List<Step> zero = List.of(recv(ANY, 0), send(1, 5), recv(ANY, 0));
    List<Step> one = List.of(send(0, 0), recv(0, 5));
    List<Step> two = List.of(send(0, 0));
    EventGraph first = RacesTest.run(Map.of(0, 100, 1, 200), zero, one, two).graph;
    EventGraph second = RacesTest.run(Map.of(0, 200, 1, 100), zero, one, two).graph;
    List<Divergences.Divergence> found = Divergences.between(first, second, true);
    assertThat(found).containsExactly(new Divergences.Divergence(0, 0, 0, true));
    assertThat(Divergences.between(first, first, true)).isEmpty();
  }

  @Test
  void intoHowManyEventsARowOfFailedPollsFallsIsNoDifference() {
    EventGraph twice = polling(3, 2).graph();
    assertThat(Divergences.between(polling(5).graph(), twice, true)).isEmpty();
    EventGraph more = polling(4, 2).graph();
    assertThat(Divergences.between(more, twice, false)).as("not asked for").isEmpty();
    assertThat(Divergences.between(more, twice, true))
        .containsExactly(new Divergences.Divergence(0, 1, 1, true));
    assertThat(Divergences.failedPolls(more.events(), 1)).isEqualTo(6);
    assertThat(Divergences.between(twice, polling().graph(), true))
        .containsExactly(new Divergences.Divergence(0, 1, 1, true));
  }

  @Test
  void failedPollsAtTheEndOfARankAreADifferenceIfAskedFor() {
    EventGraph none = polling().graph();
    HandMade polled = polling();
    polled.failedPolls(0, 7);
    assertThat(Divergences.between(none, polled.graph(), false)).isEmpty();
    assertThat(Divergences.between(none, polled.graph(), true))
        .containsExactly(new Divergences.Divergence(0, EventTable.NONE, 2, true));
  }

  /** A receive is posted, polls fail in so many rows, and it ends. */
  private static HandMade polling(int... rows) {
    HandMade events = new HandMade(2);
    int post = events.message(0, EventKind.POST_RECV, 1, 0);
    for (int failed : rows) {
      events.failedPolls(0, failed);
    }
    events.linked(0, EventKind.COMPLETE, post, 1, 0);
    events.message(1, EventKind.SEND, 0, 0);
    return events;
  }

  /** A message is under way from its send until a call tells the program that it came. */
  @Test
  void messagesUnderWayAreSentAndNobodyWasToldOfThem() {
    HandMade events = new HandMade(2);
    int post = events.message(0, EventKind.POST_RECV, 1, 0);
    int open = events.message(0, EventKind.POST_RECV, 1, 1);
    events.linked(0, EventKind.COMPLETE, post, 1, 0);
    events.linked(0, EventKind.MATCHED, open, 1, 1);
    for (int tag = 0; tag < 3; tag++) {
      events.message(1, EventKind.SEND, 0, tag);
    }
    EventGraph graph = events.graph();
    assertThat(Cuts.underWay(graph, new Cut(new int[] {8, 0}))).isZero();
    assertThat(Cuts.underWay(graph, new Cut(new int[] {4, 1}))).isEqualTo(1);
    assertThat(Cuts.underWay(graph, new Cut(new int[] {5, 2}))).as("inside").isEqualTo(1);
    assertThat(Cuts.underWay(graph, new Cut(new int[] {6, 2}))).as("told").isZero();
    assertThat(Cuts.underWay(graph, new Cut(new int[] {8, 6})))
        .as("one that nobody waited for, one that nobody received")
        .isEqualTo(2);
  }

  @Test
  void theCriticalPathGoesToTheRankThatWasWaitedFor() {
    // Calls of a rank begin 10 ns apart: rank 1's third call begins after rank 0's receive.
    EventGraph graph =
        RacesTest.run(
                Map.of(0, 102),
                List.of(recv(1, 7), send(2, 9)),
                List.of(send(2, 0), send(2, 0), send(0, 7)),
                List.of(recv(1, 0), recv(1, 0)))
            .graph;
    long[] late = {1020, 1000, 0};
    assertThat(CriticalPath.of(graph, late))
        .extracting(CriticalPath.Link::event)
        .containsExactly(0, 1);
    assertThat(CriticalPath.of(graph, new long[] {1018, 1000, 0}))
        .extracting(CriticalPath.Link::event)
        .containsExactly(2, 3, 4, 0, 1);
  }

  @Test
  void theCriticalPathGoesToTheRankThatCameLastToTheEnd() {
    HandMade trace = new HandMade(3);
    for (int rank = 0; rank < 3; rank++) {
      trace.local(rank, 0, 5);
      trace.local(rank, rank == 1 ? 200 : 10, rank == 0 ? 220 : 215);
    }
    assertThat(CriticalPath.of(trace.graph(), new long[3]))
        .containsExactly(
            new CriticalPath.Link(2, false),
            new CriticalPath.Link(3, true),
            new CriticalPath.Link(1, false));
  }

  @SafeVarargs
  private static Statistics statistics(Map<Integer, Integer> ofZero, List<Step>... ranks) {
    EventGraph graph = RacesTest.run(ofZero, ranks).graph;
    return Statistics.of(Races.of(graph), Races.controlSet(graph));
  }
}
