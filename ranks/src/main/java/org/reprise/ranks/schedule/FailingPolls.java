package org.reprise.ranks.schedule;

import java.util.List;
import org.reprise.ranks.engine.Decision;
import org.reprise.ranks.engine.Wait;
import org.reprise.ranks.inputs.SeededInputs;

/**
 * How often polls fail. The same poll of a rank may fail so often, and no more until another call
 * of that rank has come to something; then it is held until it can succeed. Where nothing else can
 * happen the polls that are held fail all together, and if that goes on without end the ranks are
 * polling in vain, which is a deadlock. So an execution always ends if the program's own loops do.
 */
final class FailingPolls {
  /** So often all held polls may fail together, with nothing else happening in between. */
  private static final int VAIN_ROUNDS_MAX = 20_000;

  /** What passes on clocks in such a round: programs poll until a time has come. */
  private static final long VAIN_ROUND_NANOS = 10_000_000;

  private final int failuresMax;
  private boolean hasHeld;
  private boolean hasProgressed = true;
  private int vainRounds;

  FailingPolls(int failuresMax) {
    this.failuresMax = failuresMax;
  }

  /** Whether a poll was held because it had failed often enough. */
  boolean hasHeld() {
    return hasHeld;
  }

  /** Something happened other than that polls failed together. */
  void progressed() {
    hasProgressed = true;
  }

  /** Whether what a thread waits for may come to nothing. */
  boolean mayFail(Seat seat, Wait wait) {
    if (isPoll(wait) && seat.failures.getOrDefault(Seat.poll(wait), 0) >= failuresMax) {
      hasHeld = true;
      return false;
    }
    return true;
  }

  /** Whether the thread polls, and nothing lets it go on. */
  static boolean isHeld(Seat seat) {
    Wait wait = seat.waiter.wait;
    return seat.asks && !seat.canRun && wait != null && isPoll(wait);
  }

  private static boolean isPoll(Wait wait) {
    return switch (wait.call) {
      case IPROBE, TEST, TESTALL, TESTANY, TESTSOME -> true;
      default -> false;
    };
  }

  /** All polls that are held fail; false if there are none, or that went on for long. */
  boolean failTogether(Seats seats) {
    if (hasProgressed) {
      vainRounds = 0;
    }
    if (++vainRounds > VAIN_ROUNDS_MAX) {
      return false;
    }
    List<Seat> polling = seats.ofAll().filter(FailingPolls::isHeld).toList();
    for (Seat seat : polling) {
      seat.decision = Decision.FAILS;
      if (seat.rank.fabric().inputs() instanceof SeededInputs clock) {
        clock.pass(VAIN_ROUND_NANOS);
      }
      seats.canRun(seat);
    }
    hasProgressed = false;
    return !polling.isEmpty();
  }
}
