package org.reprise.causality;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.reprise.causality.live.LiveAgreement;
import org.reprise.causality.races.Races;
import org.reprise.causality.races.RacingSites;
import org.reprise.causality.races.Site;
import org.reprise.causality.races.Statistics;
import org.reprise.trace.events.CollectiveFlow;
import org.reprise.trace.events.EventCursor;
import org.reprise.trace.events.EventFlag;
import org.reprise.trace.events.EventKind;

/**
 * Whatever events a reader lets through, however little those of one rank fit those of another:
 * everything ends, and ends in an answer.
 */
@Timeout(120)
class AnyEventsTest {
  @Test
  void eventsThatDoNotFitTogetherGetAnAnswer() {
    long seed = Long.getLong("reprise.seed", 20_250_105L);
    System.out.println("events that do not fit with -Dreprise.seed=" + seed);
    Random seeds = new Random(seed);
    int cut = 0;
    for (int round = 0; round < 1500; round++) {
      long one = seeds.nextLong();
      try {
        cut += ask(any(new Random(one)).graph(), new Random(one)) ? 1 : 0;
      } catch (Throwable t) {
        throw new AssertionError("events of seed " + one + " gave " + t, t);
      }
    }
    assertThat(cut).as("traces that contradict themselves").isGreaterThan(20);
  }

  /** Whatever fits together is reported as well while the run goes on. */
  @Test
  void eventsThatDoNotFitTogetherAreToldOfWhileTheyCome() {
    long seed = Long.getLong("reprise.seed", 20_250_106L);
    System.out.println("events that come with -Dreprise.seed=" + seed);
    Random seeds = new Random(seed);
    int compared = 0;
    int racing = 0;
    for (int round = 0; round < Integer.getInteger("reprise.programs", 4000); round++) {
      long one = seeds.nextLong();
      EventGraph graph = any(new Random(one)).graph();
      boolean followed =
          graph.notices().stream()
              .allMatch(
                  notice ->
                      notice.kind() != Notice.Kind.CONTRADICTION
                          && notice.kind() != Notice.Kind.SENDS_CANCELLED);
      if (followed && isPossible(graph)) {
        compared++;
        try {
          racing += LiveAgreement.check(graph, new Random(one));
        } catch (Throwable t) {
          throw new AssertionError("events of seed " + one + " gave " + t, t);
        }
      }
    }
    System.out.println(compared + " compared, " + racing + " receives race");
    assertThat(racing).as("races met").isGreaterThan(100);
  }

  /** Whether receives got what they asked for, and no send was cancelled. */
  private static boolean isPossible(EventGraph graph) {
    EventTable events = graph.events();
    Pairing pairing = graph.pairing();
    for (int e = 0; e < events.size(); e++) {
      boolean posted = events.kind(e) == EventKind.POST_RECV;
      if (events.kind(e).isSend() && pairing.isCancelled(e)
          || posted && !events.is(e, EventFlag.ANY_TAG) && pairing.tagTaken(e) != events.tag(e)
          || posted
              && !events.is(e, EventFlag.ANY_SOURCE)
              && pairing.sourceTaken(e) != events.peer(e)) {
        return false;
      }
    }
    return true;
  }

  /** Asks everything there is to ask; tells whether the traces were cut. */
  private static boolean ask(EventGraph graph, Random random) {
    EventTable events = graph.events();
    Races races = Races.of(graph);
    Races control = Races.controlSet(graph);
    assertThat(Statistics.of(races, control).messages()).isEqualTo(graph.pairing().messages());
    assertThat(RacingSites.of(graph, control, Site.same())).isNotNull();
    assertThat(CriticalPath.of(graph, new long[events.ranks()])).isNotNull();
    assertThat(Divergences.between(graph, graph, true)).isEmpty();
    List<Integer> within = new ArrayList<>();
    for (int e = 0; e < events.size(); e++) {
      if (graph.contains(e)) {
        within.add(e);
      }
    }
    for (int i = 0; i < 20 && !within.isEmpty(); i++) {
      int a = within.get(random.nextInt(within.size()));
      int b = within.get(random.nextInt(within.size()));
      if (a != b) {
        assertThat(graph.isOverBefore(a, b) && graph.isOverBefore(b, a)).isFalse();
      }
      assertThat(graph.isConsistent(graph.breakpoint(a))).isTrue();
      assertThat(graph.future(b)).hasSize(events.ranks());
    }
    return within.size() < events.size();
  }

  /** Events that each rank could have made by itself. */
  private static HandMade any(Random random) {
    int ranks = 1 + random.nextInt(4);
    HandMade trace = new HandMade(ranks);
    for (int rank = 0; rank < ranks; rank++) {
      List<Integer> open = new ArrayList<>();
      for (int i = random.nextInt(14); i > 0; i--) {
        add(trace, rank, ranks, open, random);
      }
    }
    return trace;
  }

  private static void add(HandMade trace, int rank, int ranks, List<Integer> open, Random random) {
    int peer = random.nextInt(ranks);
    int tag = random.nextInt(2);
    EventFlag[] flags =
        switch (random.nextInt(4)) {
          case 0 -> new EventFlag[] {EventFlag.ANY_SOURCE, EventFlag.ANY_TAG};
          case 1, 2 -> new EventFlag[] {EventFlag.ANY_SOURCE};
          default -> new EventFlag[] {};
        };
    EventFlag[] sync =
        random.nextInt(4) == 0 ? new EventFlag[] {EventFlag.SYNC} : new EventFlag[] {};
    switch (random.nextInt(12)) {
      case 0, 1 -> trace.message(rank, EventKind.SEND, peer, tag, sync);
      case 2 -> open.add(trace.message(rank, EventKind.POST_SEND, peer, tag, sync));
      case 3, 4 -> trace.message(rank, EventKind.RECV, peer, tag, flags);
      case 5, 6 -> {
        int source = flags.length > 0 ? EventCursor.ANY : peer;
        int asked = flags.length > 1 ? EventCursor.ANY : tag;
        open.add(trace.message(rank, EventKind.POST_RECV, source, asked, flags));
      }
      case 7 -> trace.message(rank, EventKind.PROBE, peer, tag, flags);
      case 8 -> {
        CollectiveFlow flow = CollectiveFlow.values()[random.nextInt(6)];
        boolean posted = random.nextBoolean();
        EventKind kind = posted ? EventKind.POST_COLLECTIVE : EventKind.COLLECTIVE;
        int number =
            flow == CollectiveFlow.LISTED
                ? trace.collective(rank, kind, flow, peer, random.nextInt(ranks))
                : trace.collective(rank, kind, flow, peer);
        if (posted) {
          open.add(number);
        }
      }
      default -> end(trace, rank, peer, tag, open, random);
    }
  }

  private static void end(
      HandMade trace, int rank, int peer, int tag, List<Integer> open, Random random) {
    if (open.isEmpty()) {
      trace.message(rank, EventKind.MPROBE, peer, tag, EventFlag.ANY_SOURCE, EventFlag.POLL);
      return;
    }
    int post = open.remove(random.nextInt(open.size()));
    boolean receive = trace.event(rank, post).kind() == EventKind.POST_RECV;
    switch (random.nextInt(receive ? 8 : 6)) {
      case 0 -> trace.linked(rank, EventKind.COMPLETE, post, -1, -1, EventFlag.CANCELLED);
      case 1 -> trace.linked(rank, EventKind.FREE, post, -1, -1);
      case 6 -> trace.linked(rank, EventKind.MATCHED, post, peer, tag);
      case 7 -> trace.linked(rank, EventKind.UNMATCHED, post, -1, -1);
      default ->
          trace.linked(rank, EventKind.COMPLETE, post, receive ? peer : -1, receive ? tag : -1);
    }
  }
}
