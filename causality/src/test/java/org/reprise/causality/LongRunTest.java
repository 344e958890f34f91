package org.reprise.causality;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.reprise.causality.live.LiveAgreement;
import org.reprise.trace.events.Event;
import org.reprise.trace.events.EventFlag;
import org.reprise.trace.events.EventKind;

/**
 * Runs of more events than a block of a column holds, beside an oracle that keeps a whole clock for
 * every event. All receives are complete before the next call, so a message races if it is the
 * first of another source that the receive accepts, and was sent without knowing that the receive
 * is over.
 */
class LongRunTest {
  private static final int RANKS = 5;
  private static final int STEPS = 40_000;
  private static final long SEED = Long.getLong("reprise.seed", 20_261_118L);

  private record Message(int source, int number, int tag, int[] returned, int[] begun) {}

  private record Receive(int rank, int post, int end, boolean anyTag, int tag, Message took) {
    boolean accepts(Message message) {
      return anyTag || tag == message.tag;
    }
  }

  private final SplittableRandom random = new SplittableRandom(SEED);
  private final HandMade trace = new HandMade(RANKS);

  /** By destination and source: everything sent. */
  private final List<List<List<Message>>> sent = new ArrayList<>();

  /** What has not been received, likewise. */
  private final List<List<List<Message>>> pending = new ArrayList<>();

  private final List<Receive> receives = new ArrayList<>();

  /** By rank: how many calls of each rank had returned, or begun, as far as it knows. */
  private final int[][] returned = new int[RANKS][RANKS];

  private final int[][] begun = new int[RANKS][RANKS];

  /** By rank and event: what was known to have begun at its return. */
  private final List<List<int[]>> history = new ArrayList<>();

  LongRunTest() {
    for (int rank = 0; rank < RANKS; rank++) {
      history.add(new ArrayList<>());
      sent.add(new ArrayList<>());
      pending.add(new ArrayList<>());
      for (int source = 0; source < RANKS; source++) {
        sent.get(rank).add(new ArrayList<>());
        pending.get(rank).add(new ArrayList<>());
      }
    }
    for (int step = 0; step < STEPS; step++) {
      int rank = random.nextInt(RANKS);
      boolean waiting = pending.get(rank).stream().anyMatch(list -> !list.isEmpty());
      if (waiting && random.nextInt(100) < 55) {
        receive(rank);
      } else {
        send(rank, (rank + 1 + random.nextInt(RANKS - 1)) % RANKS, random.nextInt(3));
      }
    }
  }

  private void send(int rank, int to, int tag) {
    int number = trace.message(rank, EventKind.SEND, to, tag);
    int[] enters = begun[rank].clone();
    enters[rank] = number + 1;
    Message message = new Message(rank, number, tag, returned[rank].clone(), enters);
    sent.get(to).get(rank).add(message);
    pending.get(to).get(rank).add(message);
    isOver(rank, number);
  }

  private void receive(int rank) {
    List<List<Message>> there = pending.get(rank).stream().filter(list -> !list.isEmpty()).toList();
    List<Message> ofSource = there.get(random.nextInt(there.size()));
    boolean anyTag = random.nextInt(3) == 0;
    Message took = ofSource.getFirst();
    ofSource.removeFirst();
    List<EventFlag> flags = new ArrayList<>(List.of(EventFlag.ANY_SOURCE));
    if (anyTag) {
      flags.add(EventFlag.ANY_TAG);
    }
    EventFlag[] asked = flags.toArray(EventFlag[]::new);
    int post;
    int end;
    if (random.nextBoolean()) {
      post = trace.message(rank, EventKind.RECV, took.source, took.tag, asked);
      end = post;
    } else {
      post = trace.message(rank, EventKind.POST_RECV, -1, anyTag ? -1 : took.tag, asked);
      isOver(rank, post);
      end = trace.linked(rank, EventKind.COMPLETE, post, took.source, took.tag);
    }
    for (int other = 0; other < RANKS; other++) {
      returned[rank][other] = Math.max(returned[rank][other], took.returned[other]);
      begun[rank][other] = Math.max(begun[rank][other], took.begun[other]);
    }
    isOver(rank, end);
    receives.add(new Receive(rank, post, end, anyTag, took.tag, took));
  }

  private void isOver(int rank, int number) {
    returned[rank][rank] = number + 1;
    begun[rank][rank] = number + 1;
    history.get(rank).add(begun[rank].clone());
  }

  @Test
  void racesOfALongRunAreThoseOfTheirDefinition() {
    EventGraph graph = trace.graph();
    EventTable events = graph.events();
    assertThat(graph.notices()).isEmpty();
    RaceList races = RaceList.of(graph, RANKS);
    List<List<List<Message>>> left = new ArrayList<>();
    sent.forEach(to -> left.add(new ArrayList<>(to.stream().map(ArrayList::new).toList())));
    List<String> expected = new ArrayList<>();
    for (Receive receive : receives) {
      List<Integer> others = new ArrayList<>();
      for (List<Message> ofSource : left.get(receive.rank)) {
        ofSource.stream()
            .filter(receive::accepts)
            .findFirst()
            .filter(message -> message.source != receive.took.source)
            .filter(message -> message.returned[receive.rank] <= receive.end)
            .ifPresent(message -> others.add(events.event(message.source, message.number)));
      }
      left.get(receive.rank).get(receive.took.source).remove(receive.took);
      if (!others.isEmpty()) {
        expected.add(events.event(receive.rank, receive.post) + " " + others);
      }
    }
    List<String> found = new ArrayList<>();
    for (int i = 0; i < races.size(); i++) {
      int[] sends = Arrays.stream(races.shown(i)).map(graph.pairing()::send).sorted().toArray();
      found.add(races.receive(i) + " " + Arrays.stream(sends).boxed().toList());
    }
    assertThat(found).as("seed %d", SEED).containsExactlyInAnyOrderElementsOf(expected);
    assertThat(found).hasSizeGreaterThan(STEPS / 10);
  }

  @Test
  void racesOfALongRunAreToldWhileItGoesOn() {
    int racing = LiveAgreement.check(trace.graph(), new Random(SEED));
    assertThat(racing).isGreaterThan(STEPS / 10);
  }

  @Test
  void whatPrecedesInALongRunIsWhatItsClocksSay() {
    EventGraph graph = trace.graph(1 << 16);
    EventTable events = graph.events();
    int yes = 0;
    for (int i = 0; i < 200_000; i++) {
      int a = random.nextInt(events.size());
      int rank = random.nextInt(RANKS);
      int near = events.number(a) + random.nextInt(200) - 100;
      int b = events.event(rank, Math.clamp(near, 0, events.size(rank) - 1));
      int[] known = history.get(rank).get(events.number(b));
      boolean expected = known[events.rank(a)] > events.number(a);
      assertThat(graph.precedes(a, b)).as("%d before %d, seed %d", a, b, SEED).isEqualTo(expected);
      yes += expected ? 1 : 0;
    }
    assertThat(yes).isBetween(20_000, 180_000);
  }

  @Test
  void theTableHoldsWhatWasRead() {
    EventTable events = trace.graph().events();
    for (int e = 0; e < events.size(); e++) {
      int rank = events.rank(e);
      Event event = trace.event(rank, events.number(e));
      assertThat(events.kind(e)).isEqualTo(event.kind());
      assertThat(events.peer(e)).isEqualTo(event.peer());
      assertThat(events.tag(e)).isEqualTo(event.tag());
      assertThat(events.comm(e)).isEqualTo(0);
      assertThat(events.startNanos(e)).isEqualTo(event.startNanos());
      assertThat(events.endNanos(e)).isEqualTo(event.startNanos() + event.durationNanos());
      assertThat(events.is(e, EventFlag.ANY_TAG))
          .isEqualTo(event.flags().contains(EventFlag.ANY_TAG));
      if (event.kind() == EventKind.COMPLETE) {
        assertThat(events.number(events.link(e))).isEqualTo((int) event.post());
        assertThat(events.link(events.link(e))).isEqualTo(e);
      } else if (event.kind() != EventKind.POST_RECV) {
        assertThat(events.link(e)).isEqualTo(EventTable.NONE);
      }
    }
  }
}
