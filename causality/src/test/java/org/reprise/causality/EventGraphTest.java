package org.reprise.causality;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.reprise.causality.races.Races;
import org.reprise.causality.races.RacingSite;
import org.reprise.causality.races.RacingSites;
import org.reprise.causality.races.Site;
import org.reprise.trace.TraceError;
import org.reprise.trace.events.CollectiveFlow;
import org.reprise.trace.events.Communicator;
import org.reprise.trace.events.EventFlag;
import org.reprise.trace.events.EventKind;
import org.reprise.trace.events.EventList;
import org.reprise.trace.events.RankGroup;

/** What orders events, kind by kind, and what is said of events that do not fit together. */
class EventGraphTest {
  private static final EventFlag ANY = EventFlag.ANY_SOURCE;

  @Test
  void aBarrierMakesAllWaitForAll() {
    HandMade trace = everybody(CollectiveFlow.ALL, 0);
    EventGraph graph = trace.graph();
    for (int a = 0; a < 3; a++) {
      for (int b = 0; b < 3; b++) {
        assertThat(graph.precedes(a, b)).isTrue();
        assertThat(graph.isOverBefore(a, b)).isFalse();
      }
    }
  }

  @Test
  void aBroadcastMakesOthersWaitForTheRootOnly() {
    EventGraph graph = everybody(CollectiveFlow.FROM_ROOT, 1).graph();
    assertThat(graph.precedes(1, 0)).isTrue();
    assertThat(graph.precedes(1, 2)).isTrue();
    assertThat(graph.precedes(0, 1)).isFalse();
    assertThat(graph.precedes(0, 2)).isFalse();
  }

  @Test
  void aReductionMakesTheRootWaitForAll() {
    EventGraph graph = everybody(CollectiveFlow.TO_ROOT, 1).graph();
    assertThat(graph.precedes(0, 1)).isTrue();
    assertThat(graph.precedes(2, 1)).isTrue();
    assertThat(graph.precedes(1, 0)).isFalse();
    assertThat(graph.precedes(0, 2)).isFalse();
  }

  @Test
  void aScanMakesRanksWaitForLowerOnes() {
    EventGraph graph = everybody(CollectiveFlow.SCAN, -1).graph();
    assertThat(graph.precedes(0, 1)).isTrue();
    assertThat(graph.precedes(0, 2)).isTrue();
    assertThat(graph.precedes(1, 2)).isTrue();
    assertThat(graph.precedes(2, 1)).isFalse();
    assertThat(graph.precedes(1, 0)).isFalse();
  }

  @Test
  void aListOfSourcesIsAllThatIsWaitedFor() {
    HandMade trace = new HandMade(3);
    trace.collective(0, EventKind.COLLECTIVE, CollectiveFlow.LISTED, -1, 2);
    trace.collective(1, EventKind.COLLECTIVE, CollectiveFlow.NONE, -1);
    trace.collective(2, EventKind.COLLECTIVE, CollectiveFlow.LISTED, -1, 1, 0);
    EventGraph graph = trace.graph();
    assertThat(graph.precedes(2, 0)).isTrue();
    assertThat(graph.precedes(1, 0)).isFalse();
    assertThat(graph.precedes(0, 2)).isTrue();
    assertThat(graph.precedes(1, 2)).isTrue();
    assertThat(graph.precedes(0, 1)).isFalse();
  }

  @Test
  void aCollectiveThatDoesNotBlockEndsWhereItIsWaitedFor() {
    HandMade trace = new HandMade(2);
    for (int rank = 0; rank < 2; rank++) {
      trace.collective(rank, EventKind.POST_COLLECTIVE, CollectiveFlow.ALL, -1);
      trace.message(rank, EventKind.LOCAL, -1, -1);
      trace.linked(rank, EventKind.COMPLETE, 0, -1, -1);
    }
    EventGraph graph = trace.graph();
    assertThat(graph.precedes(3, 2)).as("the other's post, my wait").isTrue();
    assertThat(graph.precedes(3, 1)).as("the other's post, my call in between").isFalse();
    assertThat(graph.precedes(4, 2)).as("the other's call in between").isFalse();
  }

  @Test
  void theBarrierOfAnIntercommunicatorMakesEachSideWaitForTheOther() {
    HandMade trace = new HandMade(4);
    int comm = trace.communicator(Communicator.inter(9, RankGroup.of(0, 1), RankGroup.of(2, 3)));
    for (int rank = 0; rank < 4; rank++) {
      trace.collectiveOn(comm, rank, CollectiveFlow.ALL);
    }
    EventGraph graph = trace.graph();
    assertThat(graph.precedes(2, 0)).isTrue();
    assertThat(graph.precedes(0, 3)).isTrue();
    assertThat(graph.precedes(0, 1)).isFalse();
    assertThat(graph.precedes(3, 2)).isFalse();
  }

  @Test
  void whoMakesACommunicatorOfAnIntercommunicatorWaitsForBothSides() {
    HandMade trace = new HandMade(4);
    int comm = trace.communicator(Communicator.inter(9, RankGroup.of(0, 1), RankGroup.of(2, 3)));
    for (int rank = 0; rank < 4; rank++) {
      trace.collectiveOn(comm, rank, CollectiveFlow.EVERYBODY);
    }
    EventGraph graph = trace.graph();
    for (int one = 0; one < 4; one++) {
      for (int other = 0; other < 4; other++) {
        assertThat(graph.precedes(one, other)).as("%d, %d", one, other).isTrue();
      }
    }
  }

  @Test
  void aMatchedProbeTakesItsMessageAsAReceiveDoes() {
    HandMade trace = new HandMade(3);
    trace.message(0, EventKind.MPROBE, 1, 0, ANY);
    trace.linked(0, EventKind.MRECV, 0, -1, -1);
    trace.message(0, EventKind.RECV, 2, 0, ANY);
    trace.message(1, EventKind.SEND, 0, 0);
    trace.message(2, EventKind.SEND, 0, 0);
    EventGraph graph = trace.graph();
    assertThat(graph.notices()).isEmpty();
    RaceList races = RaceList.of(graph, 4);
    assertThat(races.size()).isEqualTo(1);
    assertThat(races.receive(0)).isZero();
    assertThat(Races.controlSet(graph).size()).isEqualTo(1);
  }

  /** A receive that was cancelled, and a message to its rank that a later receive took. */
  private static List<Notice> cancelled(int tag, boolean isLate) {
    HandMade trace = new HandMade(2);
    if (!isLate) {
      trace.message(0, EventKind.RECV, 1, 7);
    }
    int post = isLate ? 0 : 1;
    trace.message(0, EventKind.POST_RECV, -1, tag, ANY);
    trace.linked(0, EventKind.CANCEL, post, -1, -1);
    trace.linked(0, EventKind.COMPLETE, post, -1, -1, EventFlag.CANCELLED);
    if (isLate) {
      trace.message(0, EventKind.RECV, 1, 7);
    }
    trace.message(1, EventKind.SEND, 0, 7);
    return trace.graph().notices();
  }

  @Test
  void aCancelIsNotedWhereAMessageMightHaveComeFirst() {
    assertThat(cancelled(7, true))
        .singleElement()
        .satisfies(
            notice -> {
              assertThat(notice.kind()).isEqualTo(Notice.Kind.RECEIVES_CANCELLED);
              assertThat(notice.example()).isEqualTo(1);
            });
    assertThat(cancelled(8, true)).as("a tag that nobody sends").isEmpty();
    assertThat(cancelled(7, false)).as("taken before").isEmpty();
  }

  @Test
  void aCancelledReceiveTakesNothing() {
    HandMade trace = new HandMade(2);
    trace.message(0, EventKind.POST_RECV, -1, 0, ANY);
    trace.linked(0, EventKind.CANCEL, 0, -1, -1);
    trace.linked(0, EventKind.COMPLETE, 0, -1, -1, EventFlag.CANCELLED);
    trace.message(0, EventKind.RECV, 1, 0);
    trace.message(1, EventKind.SEND, 0, 0);
    EventGraph graph = trace.graph();
    assertThat(graph.pairing().notices()).isEmpty();
    assertThat(graph.pairing().receive(0)).isEqualTo(3);
    assertThat(graph.pairing().message(0)).isEqualTo(Pairing.NONE);
  }

  /**
   * Rank 2's message would have gone to the receive that was cancelled, unless its cancel came
   * before the other one was matched.
   */
  @Test
  void aReceiveTakesMessagesFromLaterOnesUntilItIsCancelled() {
    for (boolean named : new boolean[] {false, true}) {
      HandMade late = new HandMade(3);
      int gone = cancelledLater(late, named);
      late.message(0, EventKind.RECV, 1, 1, ANY, EventFlag.ANY_TAG);
      cancel(late, gone);
      assertThat(RaceList.of(late.graph(), 9).size()).as("named %s", named).isZero();

      HandMade early = new HandMade(3);
      gone = cancelledLater(early, named);
      int post = early.message(0, EventKind.POST_RECV, -1, -1, ANY, EventFlag.ANY_TAG);
      cancel(early, gone);
      early.linked(0, EventKind.COMPLETE, post, 1, 1);
      assertThat(RaceList.of(early.graph(), 9).size()).as("named %s", named).isEqualTo(1);
      assertThat(Races.controlSet(early.graph()).size()).isEqualTo(1);
    }
  }

  /** A replay keeps a wildcard that never matched from matching: it takes nothing from others. */
  @Test
  void aForcedReceiveIsNotShieldedByAWildcardThatIsCancelled() {
    HandMade trace = new HandMade(3);
    int gone = cancelledLater(trace, false);
    trace.message(0, EventKind.RECV, 1, 1, ANY, EventFlag.ANY_TAG);
    cancel(trace, gone);
    assertThat(Races.controlSet(trace.graph()).size()).isEqualTo(1);
  }

  /** What is open on another communicator, cancelled or held back, takes and holds nothing here. */
  @Test
  void receivesOfAnotherCommunicatorAreNotInTheWay() {
    HandMade trace = new HandMade(4);
    int other = trace.communicator(Communicator.of(2, RankGroup.run(0, 4, 1)));
    int gone = trace.messageOn(other, 0, EventKind.POST_RECV, -1, 0, ANY);
    int first = trace.messageOn(other, 0, EventKind.POST_RECV, -1, 1, ANY);
    int held = trace.messageOn(other, 0, EventKind.POST_RECV, 2, 1);
    trace.message(0, EventKind.RECV, 1, 2, ANY, EventFlag.ANY_TAG);
    trace.message(0, EventKind.SEND, 3, 0);
    cancel(trace, gone);
    trace.linked(0, EventKind.COMPLETE, first, 3, 1);
    trace.linked(0, EventKind.COMPLETE, held, 2, 1);
    trace.message(1, EventKind.SEND, 0, 2);
    trace.messageOn(other, 2, EventKind.SEND, 0, 1);
    trace.message(2, EventKind.SEND, 0, 0);
    trace.message(3, EventKind.RECV, 0, 0);
    trace.messageOn(other, 3, EventKind.SEND, 0, 1);
    EventGraph graph = trace.graph();
    assertThat(Races.of(graph).contains(3)).isTrue();
  }

  private static int cancelledLater(HandMade trace, boolean named) {
    trace.message(1, EventKind.SEND, 0, 1);
    trace.message(2, EventKind.SEND, 0, 0);
    return named
        ? trace.message(0, EventKind.POST_RECV, 2, 0)
        : trace.message(0, EventKind.POST_RECV, -1, 0, ANY);
  }

  private static void cancel(HandMade trace, int post) {
    trace.linked(0, EventKind.CANCEL, post, -1, -1);
    trace.linked(0, EventKind.COMPLETE, post, -1, -1, EventFlag.CANCELLED);
  }

  /** Rank 0's receive stays open to the end; rank 1's is another rank's. */
  @Test
  void openReceivesOfOneRankHoldNothingBackOnAnother() {
    HandMade trace = new HandMade(4);
    for (int i = 0; i < 9; i++) {
      trace.message(0, EventKind.LOCAL, -1, -1);
    }
    int open = trace.message(0, EventKind.POST_RECV, -1, 0, ANY);
    trace.message(0, EventKind.RECV, 2, 6, EventFlag.ANY_TAG);
    trace.linked(0, EventKind.MATCHED, open, 2, 0);
    int named = trace.message(1, EventKind.POST_RECV, 3, 7);
    trace.message(1, EventKind.RECV, 3, 5, ANY, EventFlag.ANY_TAG);
    trace.linked(1, EventKind.COMPLETE, named, 3, 7);
    trace.message(2, EventKind.SEND, 0, 0);
    trace.message(2, EventKind.SEND, 0, 6);
    trace.message(2, EventKind.SEND, 1, 5);
    trace.message(3, EventKind.SEND, 1, 5);
    trace.message(3, EventKind.SEND, 1, 7);
    RaceList races = RaceList.of(trace.graph(), 9);
    assertThat(races.size()).isEqualTo(1);
    assertThat(trace.graph().events().rank(races.receive(0))).isEqualTo(1);
  }

  @Test
  void aFreedWildcardReceiveMakesPairingAmbiguous() {
    HandMade trace = new HandMade(2);
    trace.message(0, EventKind.RECV, 1, 0, ANY);
    trace.message(0, EventKind.POST_RECV, -1, 0, ANY);
    trace.linked(0, EventKind.FREE, 1, -1, -1);
    trace.message(0, EventKind.RECV, 1, 0, ANY);
    for (int i = 0; i < 3; i++) {
      trace.message(1, EventKind.SEND, 0, 0);
    }
    EventGraph graph = trace.graph();
    assertThat(graph.pairing().message(0)).as("posted before it").isZero();
    assertThat(graph.pairing().message(3)).as("nobody knows").isEqualTo(Pairing.NONE);
    assertThat(graph.pairing().isAmbiguous(3)).isTrue();
    assertThat(graph.notices()).containsExactly(new Notice(Notice.Kind.PAIRING_AMBIGUOUS, 2, 1));
    RaceList races = RaceList.of(graph, 4);
    assertThat(races.uncertain()).containsExactly(1, 3);
    assertThat(RacingSites.of(graph, Races.controlSet(graph), Site.same()))
        .extracting(RacingSite::kind)
        .containsExactly(RacingSite.Kind.UNCERTAIN);
  }

  @Test
  void pairingIsAmbiguousFromTheFirstOfSeveralFreedReceivesOn() {
    HandMade trace = new HandMade(2);
    trace.message(0, EventKind.POST_RECV, -1, 0, ANY);
    trace.linked(0, EventKind.FREE, 0, -1, -1);
    trace.message(0, EventKind.RECV, 1, 0, ANY);
    trace.message(0, EventKind.POST_RECV, -1, 0, ANY);
    trace.linked(0, EventKind.FREE, 3, -1, -1);
    for (int i = 0; i < 3; i++) {
      trace.message(1, EventKind.SEND, 0, 0);
    }
    EventGraph graph = trace.graph();
    assertThat(graph.pairing().isAmbiguous(2)).isTrue();
    assertThat(graph.pairing().message(2)).isEqualTo(Pairing.NONE);
  }

  @Test
  void aFreedReceiveThatWasFoundToHaveMatchedIsPaired() {
    HandMade trace = new HandMade(2);
    trace.message(0, EventKind.POST_RECV, -1, 0, ANY);
    trace.linked(0, EventKind.FREE, 0, -1, -1);
    trace.message(0, EventKind.RECV, 1, 0);
    trace.linked(0, EventKind.MATCHED, 0, 1, 0);
    trace.message(1, EventKind.SEND, 0, 0);
    trace.message(1, EventKind.SEND, 0, 0);
    EventGraph graph = trace.graph();
    assertThat(graph.notices()).isEmpty();
    assertThat(graph.pairing().receive(0)).isZero();
    assertThat(graph.pairing().receive(1)).isEqualTo(2);
  }

  @Test
  void aMessageWithoutASendIsSaid() {
    HandMade trace = new HandMade(2);
    trace.message(0, EventKind.RECV, 1, 0);
    assertThat(trace.graph().notices()).containsExactly(new Notice(Notice.Kind.SEND_MISSING, 1, 0));
  }

  @Test
  void messagesThatMayOvertakeAreNotPaired() {
    HandMade trace = new HandMade(2);
    int comm =
        trace.communicator(new Communicator(5, RankGroup.of(0, 1), RankGroup.of(), false, true));
    trace.messageOn(comm, 0, EventKind.RECV, 1, 0, ANY);
    trace.messageOn(comm, 1, EventKind.SEND, 0, 0);
    EventGraph graph = trace.graph();
    assertThat(graph.notices()).containsExactly(new Notice(Notice.Kind.OVERTAKING_ALLOWED, 1, 0));
    assertThat(RaceList.of(graph, 4).uncertain()).containsExactly(0);
  }

  /** A rank that never heard of it, and one that was told late, describe it without. */
  @Test
  void oneRankThatAllowsOvertakingIsEnough() {
    HandMade trace = new HandMade(2);
    RankGroup both = RankGroup.of(0, 1);
    int before = trace.communicator(Communicator.of(5, both));
    trace.communicator(new Communicator(5, both, RankGroup.of(), false, true));
    trace.messageOn(before, 0, EventKind.RECV, 1, 0);
    trace.messageOn(before, 1, EventKind.SEND, 0, 0);
    EventGraph graph = trace.graph();
    assertThat(graph.notices()).containsExactly(new Notice(Notice.Kind.OVERTAKING_ALLOWED, 1, 0));
    assertThat(graph.pairing().message(0)).isEqualTo(Pairing.NONE);
  }

  @Test
  void aSendThatMayHaveBeenCancelledMakesWhatFollowsItUncertain() {
    HandMade trace = withACancelledSend(2, 2);
    EventGraph graph = trace.graph();
    assertThat(graph.pairing().message(0)).as("before it").isZero();
    assertThat(graph.pairing().message(1)).as("nobody knows").isEqualTo(Pairing.NONE);
    assertThat(graph.pairing().isAmbiguous(1)).isTrue();
    assertThat(graph.notices()).containsExactly(new Notice(Notice.Kind.PAIRING_AMBIGUOUS, 1, 1));
  }

  /** Rank 0's second receive took the second or the third message of rank 1: which is left? */
  @Test
  void aMessageThatAnUncertainReceiveMayHaveTakenIsNoCertainRace() {
    HandMade trace = withACancelledSend(2, 3);
    int wild = trace.message(0, EventKind.RECV, 2, 0, ANY);
    trace.message(2, EventKind.SEND, 0, 0);
    RaceList races = RaceList.of(trace.graph(), 4);
    assertThat(races.size()).isZero();
    assertThat(races.uncertain()).containsExactly(wild);
  }

  @Test
  void aSendWhoseCancelCameTooLateIsPairedIfAllMessagesWereReceived() {
    EventGraph graph = withACancelledSend(3, 2).graph();
    assertThat(graph.notices()).isEmpty();
    assertThat(graph.pairing().message(1)).isEqualTo(1);
    assertThat(graph.pairing().message(2)).isEqualTo(2);
  }

  /** Three sends, the second with a cancel and a free, of which nobody saw what they did. */
  private static HandMade withACancelledSend(int receives, int ranks) {
    HandMade trace = new HandMade(ranks);
    for (int i = 0; i < receives; i++) {
      trace.message(0, EventKind.RECV, 1, 0);
    }
    trace.message(1, EventKind.SEND, 0, 0);
    int post = trace.message(1, EventKind.POST_SEND, 0, 0);
    trace.linked(1, EventKind.CANCEL, post, -1, -1);
    trace.linked(1, EventKind.FREE, post, -1, -1);
    trace.message(1, EventKind.SEND, 0, 0);
    return trace;
  }

  @Test
  void tracesThatContradictEachOtherAreCutWhereTheyDo() {
    HandMade trace = new HandMade(2);
    for (int rank = 0; rank < 2; rank++) {
      trace.message(rank, EventKind.LOCAL, -1, -1);
      trace.message(rank, EventKind.RECV, 1 - rank, 0);
      trace.message(rank, EventKind.SEND, 1 - rank, 0);
    }
    EventGraph graph = trace.graph();
    assertThat(graph.notices()).containsExactly(new Notice(Notice.Kind.CONTRADICTION, 4, 1));
    assertThat(graph.contains(0)).isTrue();
    assertThat(graph.contains(1)).isFalse();
    assertThat(RaceList.of(graph, 4).size()).isZero();
  }

  @Test
  void eventsOfAnotherRunAreRefused() {
    EventTable.Builder table = new EventTable.Builder(2);
    assertThatThrownBy(() -> table.add(new EventList(0, 3, List.of(), List.of())))
        .isInstanceOf(TraceError.class)
        .hasMessageContaining("do not belong to this run");
    table.add(new EventList(1, 2, List.of(), List.of()));
    assertThatThrownBy(() -> table.add(new EventList(1, 2, List.of(), List.of())))
        .isInstanceOf(TraceError.class);
    assertThatThrownBy(() -> new EventTable.Builder(1 << 20))
        .isInstanceOf(TraceError.class)
        .hasMessageContaining("more ranks than can be analysed");
  }

  private static HandMade everybody(CollectiveFlow flow, int root) {
    HandMade trace = new HandMade(3);
    for (int rank = 0; rank < 3; rank++) {
      trace.collective(rank, EventKind.COLLECTIVE, flow, root);
    }
    return trace;
  }
}
