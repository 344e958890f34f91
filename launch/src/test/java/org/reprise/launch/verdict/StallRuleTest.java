package org.reprise.launch.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.reprise.launch.verdict.StallRule.Finding;
import org.reprise.trace.Rank;
import org.reprise.trace.file.HeaderField;
import org.reprise.trace.file.RankHeader;
import org.reprise.trace.file.Wire;

class StallRuleTest {
  private static final int LIMIT_SECONDS = 30;

  private final StallRule rule = new StallRule(2, Duration.ofSeconds(LIMIT_SECONDS));

  private static RankHeader header(int rank) {
    return RankHeader.create(Wire.FileKind.ORDER, Wire.Mode.REPLAY, new Rank(rank), 2)
        .withCallCount(0, 10);
  }

  private static RankHeader inCall(RankHeader header) {
    return header.with(HeaderField.CURRENT_CALL, 5);
  }

  private static RankHeader atEnd(RankHeader header) {
    return header.with(HeaderField.FLAGS, 8);
  }

  private static RankHeader polled(RankHeader header, int times) {
    return header
        .withCallCount(0, header.calls() + times)
        .with(HeaderField.POLLS_BEYOND, header.get(HeaderField.POLLS_BEYOND) + times)
        .with(HeaderField.POLLS_FAILED_TOTAL, header.get(HeaderField.POLLS_FAILED_TOTAL) + times);
  }

  /** Every rank uses its processor all the time. */
  private Finding look(int second, RankHeader... headers) {
    return look(second, second * 100, headers);
  }

  private Finding look(int second, int work, RankHeader... headers) {
    return rule.look(
        Duration.ofSeconds(second).toNanos(),
        java.util.Arrays.stream(headers)
            .map(h -> RankMoment.of(h, true, false, false, work))
            .toList());
  }

  @Test
  void ranksThatWaitInTheSameCallsAreStuck() {
    RankHeader zero = inCall(header(0));
    RankHeader one = inCall(header(1));
    assertThat(look(0, zero, one)).isEqualTo(Finding.GOING);
    assertThat(look(29, zero, one)).isEqualTo(Finding.GOING);
    assertThat(look(30, zero, one)).isEqualTo(Finding.STUCK);
  }

  @Test
  void aRankThatComputesMayStillSend() {
    assertThat(look(0, inCall(header(0)), header(1))).isEqualTo(Finding.GOING);
    assertThat(look(1000, inCall(header(0)), header(1))).isEqualTo(Finding.GOING);
  }

  @Test
  void theTimeBeginsAnewWithEveryStep() {
    RankHeader zero = inCall(header(0));
    look(0, zero, inCall(header(1)));
    RankHeader next = inCall(header(1).withCallCount(0, 11));
    assertThat(look(29, zero, next)).isEqualTo(Finding.GOING);
    assertThat(look(31, zero, next)).isEqualTo(Finding.GOING);
    assertThat(look(59, zero, next)).isEqualTo(Finding.STUCK);
  }

  @Test
  void pollingInVainIsWaitingEvenBetweenTwoPollsAndWithOtherCallsAmongThem() {
    RankHeader zero = inCall(header(0));
    RankHeader one = header(1);
    look(0, zero, one);
    RankHeader later = polled(one, 500);
    assertThat(look(30, zero, later.withCallCount(0, later.calls() + 500)))
        .as("a Wtime for every Iprobe")
        .isEqualTo(Finding.STUCK);
  }

  @Test
  void failedPollsOfTheRecordingAreProgress() {
    RankHeader zero = inCall(header(0));
    for (int second = 0; second < 100; second++) {
      RankHeader one =
          header(1).withCallCount(0, 10 + second).with(HeaderField.POLLS_FAILED_TOTAL, second);
      assertThat(look(second, zero, one)).isEqualTo(Finding.GOING);
    }
  }

  @Test
  void aCounterSeenHalfWayThroughAPollIsNotAStep() {
    RankHeader zero = inCall(header(0));
    RankHeader one = polled(header(1), 10);
    look(0, zero, one);
    RankHeader later = polled(one, 10);
    for (int second = 1; second < 30; second++) {
      RankHeader seen =
          second % 2 == 0
              ? later
              : later.with(HeaderField.POLLS_BEYOND, later.get(HeaderField.POLLS_BEYOND) + 1);
      assertThat(look(second, zero, seen)).isEqualTo(Finding.GOING);
    }
    assertThat(look(30, zero, later)).isEqualTo(Finding.STUCK);
  }

  @Test
  void behindTheEndOfTheRecordingThereIsNothingToBeStuckIn() {
    RankHeader zero = atEnd(inCall(header(0)));
    RankHeader one = atEnd(inCall(header(1)));
    look(0, zero, one);
    assertThat(look(30, zero, one)).isEqualTo(Finding.AT_REST);
  }

  @Test
  void aRankThatSleepsBehindItsEndIsAtRestAndOneThatComputesIsNot() {
    RankHeader zero = atEnd(inCall(header(0)));
    look(0, 7, zero, atEnd(header(1)));
    assertThat(look(30, 400, zero, atEnd(header(1)))).isEqualTo(Finding.GOING);
    assertThat(look(31, 8, zero, atEnd(header(1)))).isEqualTo(Finding.AT_REST);
  }

  @Test
  void aRankThatSleepsBeforeItsEndMayWakeUp() {
    look(0, 7, atEnd(inCall(header(0))), header(1));
    assertThat(look(30, 7, atEnd(inCall(header(0))), header(1))).isEqualTo(Finding.GOING);
  }

  @Test
  void aFreeRankThatPollsIsAtRestToo() {
    RankHeader zero = atEnd(inCall(header(0)));
    RankHeader one = atEnd(header(1));
    look(0, zero, one);
    RankHeader later = one.withCallCount(0, 500).with(HeaderField.POLLS_FAILED_TOTAL, 490);
    assertThat(look(30, zero, later)).isEqualTo(Finding.AT_REST);
  }

  @Test
  void oneRankBeforeItsEndMakesItStuck() {
    RankHeader zero = atEnd(inCall(header(0)));
    look(0, zero, inCall(header(1)));
    assertThat(look(30, zero, inCall(header(1)))).isEqualTo(Finding.STUCK);
  }

  @Test
  void aRankThatHasNotShownUpMayBeComputing() {
    assertThat(look(0, inCall(header(0)))).isEqualTo(Finding.GOING);
    assertThat(look(100, inCall(header(0)))).isEqualTo(Finding.GOING);
  }

  @Test
  void aRankInADebuggerIsNotStuck() {
    List<RankMoment> held =
        List.of(
            RankMoment.of(inCall(header(0)), true, false, false, 0),
            RankMoment.of(inCall(header(1)), true, true, false, 0));
    rule.look(0, held);
    assertThat(rule.look(Duration.ofSeconds(100).toNanos(), held)).isEqualTo(Finding.GOING);
  }

  @Test
  void aRankThatASignalStoppedWaitsWhereverItIs() {
    List<RankMoment> stopped =
        List.of(
            RankMoment.of(inCall(header(0)), true, false, false, 0),
            RankMoment.of(header(1), true, false, true, 0));
    rule.look(0, stopped);
    assertThat(rule.look(Duration.ofSeconds(30).toNanos(), stopped)).isEqualTo(Finding.STUCK);
  }

  @Test
  void whenNobodyLookedTheTimeBeginsAnew() {
    RankHeader zero = inCall(header(0));
    RankHeader one = inCall(header(1));
    look(0, zero, one);
    rule.beginAnew();
    assertThat(look(40, zero, one)).isEqualTo(Finding.GOING);
    assertThat(look(69, zero, one)).isEqualTo(Finding.GOING);
    assertThat(look(70, zero, one)).isEqualTo(Finding.STUCK);
  }

  @Test
  void theDeadDoNotCount() {
    List<RankMoment> oneDead =
        List.of(
            RankMoment.of(inCall(header(0)), true, false, false, 0),
            RankMoment.of(header(1), false, false, false, 0));
    rule.look(0, oneDead);
    assertThat(rule.look(Duration.ofSeconds(30).toNanos(), oneDead)).isEqualTo(Finding.STUCK);
    List<RankMoment> allDead =
        List.of(
            RankMoment.of(inCall(header(0)), false, false, false, 0),
            RankMoment.of(header(1), false, false, false, 0));
    rule.look(Duration.ofSeconds(31).toNanos(), allDead);
    assertThat(rule.look(Duration.ofSeconds(100).toNanos(), allDead)).isEqualTo(Finding.GOING);
  }
}
