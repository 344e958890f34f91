package org.reprise.causality;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.reprise.trace.events.CollectiveFlow;
import org.reprise.trace.events.EventKind;

/** Answers do not depend on how many clocks are kept: with all of them nothing is walked. */
class ClockQueryTest {
  private static final int PROGRAMS = 60;
  private static final long SEED = 20_251_115L;

  @Test
  void fewClocksAndAllOfThemAnswerAlike() {
    SplittableRandom random = new SplittableRandom(SEED);
    int yes = 0;
    int no = 0;
    for (int program = 0; program < PROGRAMS; program++) {
      int ranks = 2 + random.nextInt(9);
      HandMade trace = scattered(ranks, random);
      EventGraph all = trace.graph();
      for (long bytes : new long[] {1, 100, 300, 1000, 3000}) {
        EventGraph few = trace.graph(bytes);
        for (int a = 0; a < all.events().size(); a += 1 + random.nextInt(5)) {
          for (int b = 0; b < all.events().size(); b++) {
            boolean expected = all.precedes(a, b);
            assertThat(few.precedes(a, b))
                .as("seed %d, program %d, %d bytes, %d and %d", SEED, program, bytes, a, b)
                .isEqualTo(expected);
            yes += expected ? 1 : 0;
            no += expected ? 0 : 1;
          }
          assertThat(few.past(a)).isEqualTo(all.past(a));
          assertThat(few.future(a)).isEqualTo(all.future(a));
        }
      }
    }
    assertThat(Math.min(yes, no)).isGreaterThan((yes + no) / 10);
  }

  /** Messages between any two ranks, taken at any time; now and then a broadcast or a barrier. */
  private static HandMade scattered(int ranks, SplittableRandom random) {
    HandMade trace = new HandMade(ranks);
    List<int[]> underWay = new ArrayList<>();
    for (int step = 0; step < 40 * ranks; step++) {
      if (random.nextInt(30 * ranks) == 0) {
        boolean barrier = random.nextBoolean();
        for (int rank = 0; rank < ranks; rank++) {
          trace.collective(
              rank,
              EventKind.COLLECTIVE,
              barrier ? CollectiveFlow.ALL : CollectiveFlow.FROM_ROOT,
              barrier ? -1 : 0);
        }
      } else if (!underWay.isEmpty() && random.nextBoolean()) {
        int[] message = underWay.remove(random.nextInt(Math.min(3, underWay.size())));
        trace.message(message[1], EventKind.RECV, message[0], message[2]);
      } else {
        int[] message = {random.nextInt(ranks), random.nextInt(ranks), step};
        trace.message(message[0], EventKind.SEND, message[1], message[2]);
        underWay.add(message);
      }
    }
    return trace;
  }
}
