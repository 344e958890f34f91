package org.reprise.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.reprise.causality.Cut;
import org.reprise.causality.Cuts;
import org.reprise.causality.EventGraph;
import org.reprise.trace.events.CollectiveFlow;
import org.reprise.trace.events.EventFlag;
import org.reprise.trace.events.EventKind;

/** Marks, logs and lines of executions that are small enough to follow by hand. */
class PlanTest {
  private static final Period HUNDRED = new Period.OfTime(100);

  private static List<String> marks(Marks marks, int rank) {
    return IntStream.range(0, marks.count(rank))
        .mapToObj(number -> marks.get(rank, number))
        .map(mark -> mark.index() + "@" + mark.position() + " " + mark.cause())
        .toList();
  }

  @Test
  void aRankTakesAMarkWhenItsPeriodIsOverAndItCallsAgain() {
    HandMade run = new HandMade(1);
    run.local(0, 0);
    run.local(0, 99);
    run.local(0, 130);
    run.local(0, 200);
    run.local(0, 230);
    Marks marks = Policy.MRT.marks(run.timeline(), HUNDRED);
    assertThat(marks(marks, 0)).containsExactly("0@0 START", "1@2 PERIOD", "2@4 PERIOD");
    assertThat(marks.longestNanos()).isEqualTo(130);
  }

  @Test
  void marksCanBeCountedInEvents() {
    HandMade run = new HandMade(1);
    for (int i = 0; i < 7; i++) {
      run.local(0, i);
    }
    assertThat(marks(Policy.MRT.marks(run.timeline(), new Period.OfEvents(3)), 0))
        .containsExactly("0@0 START", "1@3 PERIOD", "2@6 PERIOD");
  }

  /** Rank 0 is at index 2 when it sends; rank 1 leaves out index 1, which then means index 2. */
  @Test
  void beforeAMessageOfAHigherIntervalIsReceivedAMarkIsForced() {
    HandMade run = new HandMade(2);
    run.local(0, 0);
    run.local(0, 100);
    run.local(0, 200);
    run.send(0, 1, 210);
    run.local(1, 150);
    run.receive(1, 0, 151, 211);
    run.local(1, 220);
    Marks marks = Policy.MRT.marks(run.timeline(), HUNDRED);
    assertThat(marks(marks, 1)).containsExactly("0@0 START", "2@1 FORCED");
    assertThat(marks.withIndex(1, 1)).isEqualTo(1);
    assertThat(marks.withIndex(1, 2)).isEqualTo(1);
    assertThat(marks.withIndex(1, 3)).isEqualTo(-1);
  }

  /**
   * The call that completes a receive is where its message is received, all of a Waitall at once.
   */
  @Test
  void aNonBlockingReceiveHasItsMarkBeforeTheCallThatCompletesIt() {
    HandMade run = new HandMade(2);
    run.local(0, 0);
    run.local(0, 100);
    run.send(0, 1, 0, 8, 110);
    run.send(0, 1, 1, 8, 120);
    run.local(1, 50);
    int first = run.add(1, EventKind.POST_RECV, 0, 0, -1, 60, 61);
    int second = run.add(1, EventKind.POST_RECV, 0, 1, -1, 62, 63);
    run.add(1, EventKind.COMPLETE, 0, 0, first, 63, 63, EventFlag.JOINED);
    run.add(1, EventKind.COMPLETE, 0, 1, second, 70, 121);
    Timeline timeline = run.timeline();
    Marks marks = Policy.MRT.marks(timeline, HUNDRED);
    assertThat(marks(marks, 1)).containsExactly("0@0 START", "1@3 FORCED");
    assertThat(timeline.position(1, 4)).as("within the Waitall there is no place").isEqualTo(3);
    assertThat(timeline.entry(timeline.events().event(1, 3))).isEqualTo(70);
  }

  /**
   * Both ranks call Sendrecv. Rank 1 is at index 1 and sends to rank 0, which sends to rank 2: the
   * mark before rank 0's call raises what it sends, too.
   */
  @Test
  void whatACallSendsIsInTheIntervalThatItsReceiveForces() {
    HandMade run = new HandMade(3);
    run.local(0, 0);
    run.add(0, EventKind.SEND, 2, 0, -1, 0, 0, EventFlag.JOINED);
    run.add(0, EventKind.RECV, 1, 0, -1, 90, 121);
    run.local(1, 0);
    run.local(1, 100);
    run.send(1, 0, 120);
    run.local(2, 0);
    run.receive(2, 0, 91, 95);
    Marks marks = Policy.MRT.marks(run.timeline(), HUNDRED);
    assertThat(marks(marks, 0)).containsExactly("0@0 START", "1@1 FORCED");
    assertThat(marks(marks, 2)).containsExactly("0@0 START", "1@1 FORCED");
  }

  @Test
  void aCollectiveForcesItsMembersToTheHighestIndex() {
    HandMade run = new HandMade(3);
    run.local(0, 0);
    run.local(0, 100);
    run.collective(0, CollectiveFlow.ALL, -1, 110, 140);
    for (int rank = 1; rank < 3; rank++) {
      run.local(rank, 50);
      run.collective(rank, CollectiveFlow.ALL, -1, 130, 141);
    }
    Marks marks = Policy.MRT.marks(run.timeline(), HUNDRED);
    assertThat(marks(marks, 1)).containsExactly("0@0 START", "1@1 FORCED");
    assertThat(marks(marks, 2)).containsExactly("0@0 START", "1@1 FORCED");
  }

  /** A message of 1000 bytes is under way at 100, one of 8 bytes a little earlier. */
  @Test
  void ourCutIsWhereTheFewestBytesAreInTransit() {
    HandMade run = new HandMade(2);
    run.local(0, 0);
    run.send(0, 1, 0, 8, 92);
    run.send(0, 1, 1, 1000, 98);
    run.local(0, 115);
    run.local(0, 150);
    run.local(1, 0);
    run.add(1, EventKind.RECV, 0, 0, -1, 96, 97);
    run.add(1, EventKind.RECV, 0, 1, -1, 120, 121);
    run.local(1, 150);
    Timeline timeline = run.timeline();
    Plan plan = Plan.of(timeline, HUNDRED, Policy.OURS);
    assertThat(plan.log().messages()).isZero();
    assertThat(plan.marks().position(0, 1)).isEqualTo(1);
    assertThat(plan.marks().count(VirtualCheckpoint.Cause.FORCED)).isZero();
    assertThat(Plan.of(timeline, HUNDRED, Policy.MRT).log().messages()).isPositive();
  }

  /** Messages of other tags may be received first: orphans are a set. */
  @Test
  void orphansAreASetAndNotTheFirstSoManyOfAChannel() {
    HandMade run = new HandMade(2);
    run.local(0, 0);
    int late = run.send(0, 1, 0, 8, 10);
    int early = run.send(0, 1, 1, 8, 20);
    run.local(0, 150);
    run.local(1, 0);
    run.add(1, EventKind.RECV, 0, 1, -1, 21, 22);
    run.local(1, 100);
    run.add(1, EventKind.RECV, 0, 0, -1, 110, 111);
    run.local(1, 120);
    Timeline timeline = run.timeline();
    Marks.Builder marks = new Marks.Builder(timeline);
    marks.add(1, 1, 2, VirtualCheckpoint.Cause.PERIOD);
    Plan plan = Plan.of(Policy.ROS, marks.build(), Set.of(), 0);
    RecoveryLine line = RecoveryLine.greatest(plan, new Cut(new int[] {8, 8}));
    assertThat(line.position(0)).isZero();
    assertThat(line.position(1)).isEqualTo(2);
    BitSet orphans = new BitSet();
    orphans.set(timeline.graph().pairing().message(timeline.events().event(0, early)));
    assertThat(line.orphans()).isEqualTo(orphans);
    assertThat(line.inTransit().isEmpty()).isTrue();
    assertThat(timeline.deliveries().received(timeline.graph().pairing().message(late)))
        .isEqualTo(timeline.events().event(1, 3));
  }

  @Test
  void aBreakpointThatIsNotConsistentNamesWhatShowsItAndTheNearestOnes() {
    HandMade run = new HandMade(2);
    run.local(0, 0);
    int send = run.send(0, 1, 10);
    run.local(0, 20);
    run.local(1, 0);
    int receive = run.receive(1, 0, 5, 11);
    run.local(1, 15);
    EventGraph graph = run.graph();
    Breakpoint breakpoint = Breakpoint.at(graph, new Cut(new int[] {2, 6}));
    assertThat(breakpoint).isInstanceOf(Breakpoint.Inconsistent.class);
    Breakpoint.Inconsistent wrong = (Breakpoint.Inconsistent) breakpoint;
    assertThat(wrong.crossings())
        .containsExactly(
            new Cuts.Crossing(graph.events().event(0, send), graph.events().event(1, receive)));
    assertThat(wrong.before()).isEqualTo(new Cut(new int[] {2, 3}));
    assertThat(wrong.after()).isEqualTo(new Cut(new int[] {3, 6}));
    assertThat(graph.isConsistent(wrong.before())).isTrue();
    assertThat(graph.isConsistent(wrong.after())).isTrue();
    assertThat(Breakpoint.at(graph, wrong.after())).isInstanceOf(Breakpoint.Consistent.class);
  }

  @Test
  void theLatestBreakpointOfAnEventLetsTheOthersGoAsFarAsTheyCan() {
    HandMade run = new HandMade(2);
    int first = run.local(0, 0);
    run.send(0, 1, 10);
    run.local(1, 0);
    run.local(1, 2);
    run.receive(1, 0, 5, 11);
    EventGraph graph = run.graph();
    int event = graph.events().event(0, first);
    assertThat(Breakpoint.causal(graph, event).cut()).isEqualTo(new Cut(new int[] {2, 0}));
    assertThat(Breakpoint.latest(graph, event).cut()).isEqualTo(new Cut(new int[] {2, 5}));
  }

  @Test
  void beforeAnEventTheOthersStopAfterWhatHadToHappenOrAsLateAsTheyCan() {
    HandMade run = new HandMade(3);
    run.send(0, 1, 10);
    run.local(0, 20);
    int receive = run.receive(1, 0, 5, 11);
    int answer = run.send(1, 2, 30);
    run.local(2, 0);
    run.receive(2, 1, 5, 31);
    run.local(2, 40);
    EventGraph graph = run.graph();
    int receives = graph.events().event(1, receive);
    int answers = graph.events().event(1, answer);
    assertThat(Breakpoint.before(graph, receives).cut()).isEqualTo(new Cut(new int[] {0, 0, 0}));
    assertThat(Breakpoint.before(graph, answers).cut()).isEqualTo(new Cut(new int[] {2, 2, 0}));
    assertThat(Breakpoint.latestBefore(graph, answers).cut())
        .isEqualTo(new Cut(new int[] {4, 2, 3}));
    assertThat(Cuts.onEntry(graph, Breakpoint.latestBefore(graph, answers).cut()))
        .isEqualTo(new Cut(new int[] {4, 2, 2}));
  }

  @Test
  void aMessageIsUnderWayWhereItIsSentAndNotReceived() {
    HandMade run = new HandMade(2);
    int send = run.send(0, 1, 10);
    run.local(0, 20);
    run.local(1, 0);
    int receive = run.receive(1, 0, 5, 11);
    EventGraph graph = run.graph();
    Cut cut =
        Breakpoint.underWay(graph, graph.events().event(0, send), graph.events().event(1, receive))
            .cut();
    assertThat(cut).isEqualTo(new Cut(new int[] {2, 2}));
    assertThat(Cuts.underWay(graph, cut)).isEqualTo(1);
  }

  /** Rank 1's clock is 1000 behind: its receive seems to end before the message was sent. */
  @Test
  void clocksAreShiftedUntilNoMessageArrivesBeforeItWasSent() {
    HandMade run = new HandMade(2);
    run.local(0, 1000);
    run.send(0, 1, 1010);
    run.receive(0, 1, 1015, 1030);
    run.local(1, 0);
    run.receive(1, 0, 5, 12);
    run.send(1, 0, 20);
    Timeline timeline = run.timeline();
    assertThat(timeline.driftNanos()).isZero();
    long sent = timeline.entry(timeline.events().event(0, 1));
    long received = timeline.exit(timeline.events().event(1, 1));
    long back = timeline.entry(timeline.events().event(1, 2));
    assertThat(received).isGreaterThanOrEqualTo(sent);
    assertThat(timeline.exit(timeline.events().event(0, 2))).isGreaterThanOrEqualTo(back);
  }

  @Test
  void aRunWithoutEventsHasAPlanToo() {
    HandMade run = new HandMade(3);
    run.local(1, 5);
    Timeline timeline = run.timeline();
    for (Policy policy : Policy.values()) {
      Plan plan = Plan.of(timeline, HUNDRED, policy);
      Assessment assessment = Assessment.of(plan, Assessment.Sample.of(timeline, HUNDRED, 10), 0);
      assertThat(plan.marks().count()).isEqualTo(3);
      assertThat(assessment.worstNanos()).isZero();
    }
    assertThat(OnTheFly.of(timeline, new Period.OfTime(100), 0).isWhole()).isTrue();
  }
}
