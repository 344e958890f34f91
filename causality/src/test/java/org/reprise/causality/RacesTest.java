package org.reprise.causality;

import static org.assertj.core.api.Assertions.assertThat;
import static org.reprise.causality.Step.ANY;
import static org.reprise.causality.Step.await;
import static org.reprise.causality.Step.barrier;
import static org.reprise.causality.Step.irecv;
import static org.reprise.causality.Step.probe;
import static org.reprise.causality.Step.recv;
import static org.reprise.causality.Step.send;
import static org.reprise.causality.Step.ssend;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.reprise.causality.races.Races;

/**
 * What races, on programs that show one thing each. Receives and messages are named as in {@link
 * Machine}: the second message of rank 3 is 301.
 */
class RacesTest {
  @Test
  void twoMessagesFromTwoSourcesRace() {
    Execution run =
        run(
            Map.of(0, 100, 1, 200),
            zero(recv(ANY, 0), recv(ANY, 0)),
            one(send(0, 0)),
            two(send(0, 0)));
    assertThat(races(run)).containsExactly(List.of(0, 200));
    assertThat(control(run)).containsExactly(0);
  }

  @Test
  void aReceiveWhoseSourceIsNamedNeverRaces() {
    Execution run =
        run(Map.of(0, 100, 1, 200), zero(recv(1, 0), recv(2, 0)), one(send(0, 0)), two(send(0, 0)));
    assertThat(races(run)).isEmpty();
    assertThat(control(run)).isEmpty();
  }

  @Test
  void twoMessagesOfOneSourceDoNotRace() {
    Execution run =
        run(
            Map.of(0, 100, 1, 101),
            zero(recv(ANY, ANY), recv(ANY, ANY)),
            one(send(0, 0), send(0, 1)));
    assertThat(races(run)).isEmpty();
  }

  @Test
  void aMessageSentAfterTheReceiveReturnedDoesNotRace() {
    Execution run =
        run(
            Map.of(0, 100, 1, 200),
            zero(recv(ANY, 0), send(2, 0), recv(ANY, 0)),
            one(send(0, 0)),
            two(recv(0, 0), send(0, 0)));
    assertThat(races(run)).isEmpty();
    assertThat(control(run)).isEmpty();
  }

  /** The receive itself completes last, but it was matched before a later one, which completed. */
  @Test
  void aLaterReceivesCompletionEndsTheRace() {
    Execution run =
        run(
            Map.of(0, 100, 1, 101, 2, 200),
            zero(irecv(ANY, 0, 1), irecv(ANY, 0, 2), await(2), send(2, 0), await(1), recv(ANY, 0)),
            one(send(0, 0), send(0, 0)),
            two(recv(0, 0), send(0, 0)));
    assertThat(races(run)).isEmpty();
    assertThat(control(run)).isEmpty();
  }

  /** A synchronous send that is not waited for yet promises nothing. */
  @Test
  void aSynchronousSendEndsTheRaceWhereItIsWaitedFor() {
    List<Step> zero = zero(irecv(ANY, 0, 1), await(1), recv(ANY, 0));
    List<Step> two = two(recv(1, 0), send(0, 0));
    Step started = Step.isend(0, 0, true, 1);
    Execution later = run(Map.of(0, 100, 1, 200), zero, one(started, send(2, 0), await(1)), two);
    assertThat(races(later)).containsExactly(List.of(0, 200));
    Execution before = run(Map.of(0, 100, 1, 200), zero, one(started, await(1), send(2, 0)), two);
    assertThat(races(before)).isEmpty();
  }

  /** Rank 2's send completed by the second receive, which was matched after the first. */
  @Test
  void aSynchronousSendToALaterReceiveEndsTheRaceOfTheEarlierOne() {
    Execution run =
        run(
            Map.of(0, 100, 1, 200, 2, 300),
            zero(irecv(ANY, 0, 1), irecv(ANY, 0, 2), await(1), await(2), recv(ANY, 0)),
            one(send(0, 0)),
            two(ssend(0, 0), send(3, 0)),
            List.of(recv(2, 0), send(0, 0)));
    assertThat(races(run)).containsExactly(List.of(0, 200));
  }

  /** The receive is not complete, but the synchronous send that it took is. */
  @Test
  void aSynchronousSendsCompletionEndsTheRace() {
    Execution run =
        run(
            Map.of(0, 100, 1, 200),
            zero(irecv(ANY, 0, 1), await(1), recv(ANY, 0)),
            one(ssend(0, 0), send(2, 0)),
            two(recv(1, 0), send(0, 0)));
    assertThat(races(run)).isEmpty();
    Execution standard =
        run(
            Map.of(0, 100, 1, 200),
            zero(irecv(ANY, 0, 1), await(1), recv(ANY, 0)),
            one(send(0, 0), send(2, 0)),
            two(recv(1, 0), send(0, 0)));
    assertThat(races(standard)).as("a standard send promises nothing").hasSize(1);
  }

  /**
   * An earlier receive is open, accepts the other message and is matched later: it would take it.
   * In a replay that forces the earlier one nothing absorbs the message any more, so the later one
   * must be forced as well although it does not race.
   */
  @Test
  void anEarlierReceiveAbsorbsTheMessageUnlessItIsForced() {
    Execution run =
        run(
            Map.of(0, 300, 1, 100, 2, 200),
            zero(irecv(ANY, 5, 1), recv(ANY, ANY), send(3, 0), await(1), recv(ANY, 5)),
            one(send(0, 6)),
            two(send(0, 5)),
            List.of(recv(0, 0), send(0, 5)));
    assertThat(races(run)).containsExactly(List.of(0, 200));
    assertThat(control(run)).containsExactly(0, 1);
  }

  @Test
  void progressGoesOnWhileTheControlSetIsFound() {
    Execution run =
        run(
            Map.of(0, 200, 1, 100),
            zero(irecv(ANY, 0, 1), irecv(ANY, 0, 2), await(1), await(2)),
            one(send(0, 0)),
            two(send(0, 0)));
    List<Long> told = new ArrayList<>();
    EventGraph graph =
        EventGraph.of(
            run.graph.events(),
            EventGraph.clockBytes(),
            (pass, done, all) -> {
              if (pass == Progress.Pass.FORCING) {
                told.add(done);
              }
            });
    assertThat(graph.forced()).as("ordered anew").isNotSameAs(graph);
    Races.controlSet(graph);
    assertThat(told).isSorted().endsWith((long) graph.events().size());
  }

  /** An earlier message of the other source waits for a receive that is matched later. */
  @Test
  void aMessageThatIsHeldBackHoldsBackTheNextOfItsSource() {
    Execution run =
        run(
            Map.of(0, 300, 1, 200, 2, 100, 3, 201),
            zero(
                irecv(ANY, 1, 1),
                irecv(2, 1, 2),
                recv(ANY, ANY),
                send(3, 0),
                await(1),
                await(2),
                recv(ANY, 2)),
            one(send(0, 2)),
            two(send(0, 1), send(0, 2)),
            List.of(recv(0, 0), send(0, 1)));
    assertThat(races(run)).doesNotContain(List.of(2, 201));
  }

  /** A message holds back later ones, and those of its own source only. */
  @Test
  void aMessageThatIsHeldBackHoldsBackNoEarlierOneAndNoOtherSource() {
    List<Step> late = List.of(recv(0, 0), send(0, 1));
    Execution earlier =
        run(
            Map.of(0, 300, 1, 201, 2, 100, 3, 200),
            zero(
                irecv(ANY, 1, 1),
                irecv(2, 1, 2),
                recv(ANY, ANY),
                send(3, 0),
                await(1),
                await(2),
                recv(ANY, 2)),
            one(send(0, 2)),
            two(send(0, 2), send(0, 1)),
            late);
    assertThat(races(earlier)).contains(List.of(2, 200));
    Execution other =
        run(
            Map.of(0, 100, 1, 200, 2, 400, 3, 300),
            zero(
                irecv(ANY, 1, 1),
                irecv(2, 1, 2),
                recv(ANY, ANY),
                send(1, 0),
                await(1),
                await(2),
                recv(ANY, 2)),
            late,
            two(send(0, 1)),
            List.of(send(0, 2)),
            List.of(send(0, 2)));
    assertThat(races(other)).contains(List.of(2, 300));
  }

  /** And so for each receive, also when others that were open have completed meanwhile. */
  @Test
  void aMessageThatIsHeldBackHoldsBackForEveryReceive() {
    Execution run =
        run(
            Map.of(0, 100, 1, 300, 2, 200, 3, 101, 4, 102, 5, 201),
            zero(
                irecv(1, 9, 3),
                irecv(ANY, 1, 1),
                irecv(2, 1, 2),
                await(3),
                recv(ANY, ANY),
                recv(ANY, ANY),
                send(3, 0),
                await(1),
                await(2),
                recv(ANY, 2)),
            one(send(0, 9), send(0, 2), send(0, 2)),
            two(send(0, 1), send(0, 2)),
            List.of(recv(0, 0), send(0, 1)));
    assertThat(races(run)).doesNotContain(List.of(3, 201), List.of(4, 201));
  }

  /**
   * The third receive takes rank 1's second message, so the first one was taken, by the second
   * receive; the first receive would have taken that one, so it had got its own, from rank 2.
   */
  @Test
  void aReceiveOfAnyTagWaitsForThoseThatHoldItsMessageBack() {
    Execution run =
        run(
            Map.of(0, 200, 1, 100, 2, 101),
            zero(irecv(ANY, 0, 1), irecv(ANY, 0, 2), recv(1, ANY), await(2), await(1)),
            one(send(0, 0), send(0, 1)),
            two(send(0, 0)));
    assertThat(run.graph.precedes(run.event(2, 0), run.event(0, 2))).isTrue();
  }

  /** The first message causes the second, and still the second can overtake it. */
  @Test
  void theTriangleRaces() {
    Execution run =
        run(
            Map.of(0, 100, 1, 200),
            zero(recv(ANY, 0), recv(ANY, 0)),
            one(send(0, 0), send(2, 0)),
            two(recv(1, 0), send(0, 0)));
    assertThat(races(run)).containsExactly(List.of(0, 200));
    assertThat(control(run)).containsExactly(0);
  }

  @Test
  void aProbeRacesAndTheNamedReceiveBehindItDoesNot() {
    Execution run =
        run(
            Map.of(0, 100, 1, 100, 2, 200),
            zero(probe(ANY, 0), recv(Step.LAST, 0), recv(ANY, 0)),
            one(send(0, 0)),
            two(send(0, 0)));
    assertThat(races(run)).containsExactly(List.of(0, 200));
    assertThat(control(run)).containsExactly(0);
  }

  @Test
  void aReceiveRacesWithAMessageThatNobodyReceived() {
    Execution run = run(Map.of(0, 100), zero(recv(ANY, 0)), one(send(0, 0)), two(send(0, 0)));
    assertThat(races(run)).containsExactly(List.of(0, 200));
  }

  @Test
  void aBarrierOrdersCallsAndNotArrivals() {
    Execution run =
        run(
            Map.of(0, 100, 1, 200),
            zero(irecv(ANY, 0, 1), barrier(), await(1), recv(ANY, 0)),
            one(send(0, 0), barrier()),
            two(barrier(), send(0, 0)));
    assertThat(races(run)).as("sent after the barrier, and not matched by it").hasSize(1);
    Execution before =
        run(
            Map.of(0, 100, 1, 200),
            zero(recv(ANY, 0), barrier(), recv(ANY, 0)),
            one(send(0, 0), barrier()),
            two(barrier(), send(0, 0)));
    assertThat(races(before)).isEmpty();
  }

  @Test
  void theCausalBreakpointStopsOthersAfterTheirLastCallThatPrecedes() {
    Execution run =
        run(
            Map.of(0, 101),
            zero(recv(ANY, 0)),
            one(send(2, 9), send(0, 0), send(2, 9)),
            two(send(1, 9)));
    Cut cut = run.graph.breakpoint(run.event(0, 0));
    assertThat(cut.moments()).containsExactly(2, 4, 0);
    assertThat(run.graph.isConsistent(cut)).isTrue();
    assertThat(run.graph.isConsistent(new Cut(new int[] {2, 2, 2}))).isFalse();
    assertThat(run.graph.past(run.event(0, 0))).containsExactly(1, 2, 0);
    assertThat(run.graph.future(run.event(1, 0))).containsExactly(0, 0, 1);
    assertThat(run.graph.concurrent(run.event(2, 0), run.event(0, 0))).isTrue();
    assertThat(run.graph.happenedBefore(run.event(1, 1), run.event(0, 0))).isTrue();
  }

  private static List<Step> zero(Step... steps) {
    return List.of(steps);
  }

  private static List<Step> one(Step... steps) {
    return List.of(steps);
  }

  private static List<Step> two(Step... steps) {
    return List.of(steps);
  }

  /** The execution of a program in which rank 0's receives get these messages. */
  @SafeVarargs
  @SuppressWarnings("varargs")
  static Execution run(Map<Integer, Integer> ofZero, List<Step>... ranks) {
    Machine machine = new Machine(new Machine.Program(List.of(ranks)), new Machine.Control() {});
    for (Machine.State state : machine.executions(Integer.MAX_VALUE).values()) {
      if (machine.isComplete(state) && state.outcomes().entrySet().containsAll(ofZero.entrySet())) {
        return new Execution(state);
      }
    }
    throw new AssertionError("no execution with " + ofZero);
  }

  private static List<List<Integer>> races(Execution run) {
    return List.copyOf(run.races(RaceList.of(run.graph, 100)));
  }

  private static List<Integer> control(Execution run) {
    Races control = Races.controlSet(run.graph);
    List<Integer> receives = new ArrayList<>();
    control.receives().forEach(receive -> receives.add(run.receiveOf(receive)));
    return receives;
  }
}
