package org.reprise.launch.deadlock;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.reprise.trace.Rank;
import org.reprise.trace.waits.RankWaits;

/** Who waits for whom: a rank is deadlocked only if nothing that can still happen frees it. */
class WaitGraphTest {
  private static final int WORLD = 7;
  private static final int TAG = 1;
  private static final int BARRIER = 20;
  private static final int ALLREDUCE = 21;

  private final NavigableMap<Rank, Stance> stances = new TreeMap<>();
  private final Set<Rank> settled = new HashSet<>();

  @Test
  void receivesInACircleAreADeadlock() {
    waits(0, 2, none(), message(1));
    waits(1, 2, none(), message(0));
    assertThat(found())
        .hasValueSatisfying(
            deadlock -> assertThat(deadlock.cycle()).containsExactly(new Rank(0), new Rank(1)));
  }

  @Test
  void aMessageOnItsWayIsProgress() {
    waits(0, 2, none(), message(1));
    waits(1, 2, sent(0, TAG, 1), message(0));
    assertThat(found()).isEmpty();
  }

  @Test
  void aMessageWithAnotherTagIsNone() {
    waits(0, 2, none(), message(1));
    waits(1, 2, sent(0, TAG + 1, 1), message(0));
    assertThat(found()).isPresent();
  }

  @Test
  void aMessageThatAnEarlierReceiveTakesIsNone() {
    RankWaits oneOpen =
        new RankWaits(
            world(2, 0, -1),
            Map.of(),
            Map.of(),
            List.of(new RankWaits.Receive(WORLD, 1, TAG, 0)),
            List.of());
    stances.put(new Rank(0), new Stance.Waiting(oneOpen, false, List.of(message(1))));
    waits(1, 2, sent(0, TAG, 1), message(0));
    assertThat(found()).isPresent();
  }

  /** An open receive from any source may have taken the message: known once its rank has looked. */
  @Test
  void aMessageThatAnEarlierWildcardTookIsNone() {
    RankWaits oneOpen =
        new RankWaits(
            world(2, 0, -1),
            Map.of(),
            Map.of(),
            List.of(new RankWaits.Receive(WORLD, -1, TAG, 0)),
            List.of());
    stances.put(new Rank(0), new Stance.Waiting(oneOpen, false, List.of(message(1))));
    waits(1, 2, sent(0, TAG, 1), message(0));
    assertThat(found()).isEmpty();
    settled.add(new Rank(0));
    assertThat(found()).isPresent();
    waits(1, 2, sent(0, TAG, 2), message(0));
    assertThat(found()).as("two messages, one of which it cannot have taken").isEmpty();
  }

  @Test
  void whoeverMovesMaySendToAReceiveFromAnySource() {
    waits(0, 3, none(), message(-1));
    waits(1, 3, none(), message(0));
    stances.put(new Rank(2), new Stance.Moving());
    assertThat(found()).isEmpty();
    stances.put(new Rank(2), new Stance.Finished(known(3, none(), 0, -1)));
    assertThat(found())
        .hasValueSatisfying(
            deadlock -> assertThat(deadlock.finished()).containsExactly(new Rank(2)));
  }

  @Test
  void aCircleBesideARankThatMovesIsADeadlock() {
    waits(0, 3, none(), message(1));
    waits(1, 3, none(), message(0));
    stances.put(new Rank(2), new Stance.Moving());
    assertThat(found())
        .hasValueSatisfying(
            deadlock -> assertThat(deadlock.ranks()).containsExactly(new Rank(0), new Rank(1)));
  }

  @Test
  void oneOfManyIsEnoughForWaitanyAndNotForWaitall() {
    stances.put(new Rank(2), new Stance.Moving());
    waits(1, 3, none(), message(0));
    for (boolean any : new boolean[] {true, false}) {
      stances.put(
          new Rank(0),
          new Stance.Waiting(known(3, none(), 0, -1), any, List.of(message(1), message(2))));
      assertThat(found().isEmpty()).as("any %s", any).isEqualTo(any);
    }
  }

  @Test
  void aSendAmongOthersMayLongBeDone() {
    Stance.Want send = new Stance.Want.Reception(WORLD, 1, TAG, 1, true);
    stances.put(new Rank(2), new Stance.Moving());
    waits(1, 3, none(), message(0));
    stances.put(
        new Rank(0),
        new Stance.Waiting(known(3, sent(1, TAG, 1), 0, -1), false, List.of(send, message(2))));
    assertThat(found()).isEmpty();
  }

  @Test
  void aSynchronousSendWaitsForAReceiveThatAcceptsIt() {
    waits(0, 2, sent(1, TAG, 1), reception(1));
    waits(1, 2, sent(0, TAG, 1), reception(0));
    assertThat(found()).isPresent();
    waits(1, 2, none(), message(0));
    assertThat(found()).isEmpty();
  }

  @Test
  void aBarrierNeedsAllAndOthersOfItsNumberMustBeTheSame() {
    collective(0, BARRIER, true);
    collective(1, BARRIER, true);
    assertThat(found()).isEmpty();
    collective(1, ALLREDUCE, true);
    assertThat(found()).isPresent();
    stances.put(new Rank(1), new Stance.Moving());
    assertThat(found()).isEmpty();
  }

  private Optional<Deadlock> found() {
    return new WaitGraph(stances, IntUnaryOperator.identity(), settled).deadlock();
  }

  private void waits(int rank, int ranks, Map<RankWaits.Channel, Long> sent, Stance.Want... wants) {
    stances.put(
        new Rank(rank), new Stance.Waiting(known(ranks, sent, 0, -1), false, List.of(wants)));
  }

  private void collective(int rank, int call, boolean all) {
    stances.put(
        new Rank(rank),
        new Stance.Waiting(
            known(2, none(), 1, call),
            false,
            List.of(new Stance.Want.Members(WORLD, 1, call, all))));
  }

  private static Stance.Want message(int source) {
    return new Stance.Want.Message(WORLD, source, TAG, Long.MAX_VALUE);
  }

  private static Stance.Want reception(int destination) {
    return new Stance.Want.Reception(WORLD, destination, TAG, 0, false);
  }

  private static Map<RankWaits.Channel, Long> none() {
    return Map.of();
  }

  private static Map<RankWaits.Channel, Long> sent(int to, int tag, long count) {
    Map<RankWaits.Channel, Long> sent = new HashMap<>();
    sent.put(new RankWaits.Channel(WORLD, to, tag), count);
    return sent;
  }

  private static RankWaits known(
      int ranks, Map<RankWaits.Channel, Long> sent, long collectives, int lastCall) {
    return new RankWaits(world(ranks, collectives, lastCall), sent, Map.of(), List.of(), List.of());
  }

  private static Map<Integer, RankWaits.Comm> world(int ranks, long collectives, int lastCall) {
    return Map.of(
        WORLD,
        new RankWaits.Comm(
            collectives, lastCall, IntStream.range(0, ranks).boxed().toList(), List.of()));
  }
}
