package org.reprise.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** MRT while the program runs, simulated. */
class OnTheFlyTest {
  private static final Set<LoggingRule> WITHOUT_TIMES =
      EnumSet.complementOf(EnumSet.of(LoggingRule.ELAPSED));

  @Test
  void everyRankComesToItsEndHoweverMarksAndMessagesWaitForEachOther() {
    System.out.println("drawing with " + Draw.seed(0));
    for (int i = 0; i < Draw.executions(300); i++) {
      long seed = Draw.SEED + i;
      Timeline timeline = Timeline.of(RandomRun.of(seed, i % 2 == 0).graph());
      Period.OfTime period = new Period.OfTime(5 + new Random(seed).nextInt(200));
      OnTheFly flight = OnTheFly.of(timeline, period, i % 7);
      assertThat(flight.isWhole()).as(Draw.seed(i)).isTrue();
      assertThat(flight.storageBytesMax()).as(Draw.seed(i)).isNotNegative();
      assertThat(flight.coordinationNanosMax())
          .as(Draw.seed(i))
          .isGreaterThanOrEqualTo((long) flight.coordinationNanosMean());
    }
  }

  /** What ranks tell each other at their marks is all that rule 2 asks for. */
  @Test
  void afterTheCoordinationRulesOneAndTwoDecideAsTheyDoOffline() {
    System.out.println("drawing with " + Draw.seed(0));
    long decided = 0;
    for (int i = 0; i < Draw.executions(300); i++) {
      long seed = Draw.SEED + i;
      Random random = new Random(seed);
      RandomRun.Shape shape =
          new RandomRun.Shape(2 + random.nextInt(4), 50 + random.nextInt(200), 0, 50, 10, false);
      Timeline timeline = Timeline.of(RandomRun.of(seed, shape).graph());
      Period.OfTime period = new Period.OfTime(20 + random.nextInt(100));
      OnTheFly flight = OnTheFly.of(timeline, period, 0, WITHOUT_TIMES);
      Marks marks = flight.marks();
      MessageLog offline = MessageLog.of(marks, WITHOUT_TIMES, 0);
      for (int message = 0; message < offline.sent(); message++) {
        int receive = timeline.deliveries().received(message);
        // Rank p decides at its mark i + 2; what comes later stays undecided.
        boolean isDecided =
            receive >= 0
                && marks.withIndex(timeline.events().rank(receive), marks.index(receive) + 2) >= 0;
        if (isDecided) {
          decided++;
          assertThat(flight.hasMessage(message))
              .as(Draw.seed(i) + " message " + message)
              .isEqualTo(offline.hasMessage(message));
        }
      }
    }
    assertThat(decided).isGreaterThan(1000);
  }

  @Test
  void withoutMarksNobodyWaitsAndNothingIsLogged() {
    HandMade run = new HandMade(2);
    run.local(0, 0);
    run.send(0, 1, 10);
    run.local(1, 0);
    run.receive(1, 0, 5, 20);
    OnTheFly flight = OnTheFly.of(run.timeline(), new Period.OfTime(1000), 3);
    assertThat(flight.messages()).isZero();
    assertThat(flight.coordinationNanosMax()).isZero();
    assertThat(flight.count()).isEqualTo(2);
    assertThat(flight.isWhole()).isTrue();
  }

  /** Rank 0 is at its mark at 100, rank 1 at 130: rank 0 waits 30, and what a message takes. */
  @Test
  void aRankWaitsAtItsMarkForTheLastOne() {
    HandMade run = new HandMade(2);
    run.local(0, 0);
    run.local(0, 100);
    run.local(0, 110);
    run.local(1, 0);
    run.local(1, 130);
    run.local(1, 140);
    OnTheFly flight = OnTheFly.of(run.timeline(), new Period.OfTime(100), 2);
    assertThat(flight.coordinationNanosMax()).isEqualTo(32);
    assertThat(flight.coordinationNanosMean()).isEqualTo(17);
    assertThat(flight.count()).isEqualTo(4);
  }
}
