package org.reprise.launch.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A launcher that hangs in its own end cannot be had when it is wanted. The double is a {@code
 * sleep} whose children have ended: it never asks for their status, as {@code mpirun} does then.
 */
@Timeout(120)
class LauncherWatchTest {
  private static final Duration LIMIT = Duration.ofSeconds(1);

  private static Process start(String children) throws Exception {
    return new ProcessBuilder("sh", "-c", children + " exec sleep 1000").start();
  }

  @Test
  void aLauncherWhoseRanksHaveEndedIsEndedAndTheirStatusKept() throws Exception {
    Process launcher = start("(exit 0) & (exit 7) &");
    LauncherWatch watch = LauncherWatch.start(launcher, Set.of("sleep"), LIMIT);
    launcher.waitFor();
    assertThat(watch.status()).hasValue(7);
  }

  @Test
  void aRankThatWasKilledGivesItsSignal() throws Exception {
    Process launcher = start("sh -c 'kill -9 $$' &");
    LauncherWatch watch = LauncherWatch.start(launcher, Set.of("sleep"), LIMIT);
    launcher.waitFor();
    assertThat(watch.status()).hasValue(128 + 9);
  }

  @Test
  void whoHasARankLeftOrIsNoLauncherIsLeftAlone() throws Exception {
    Process busy = start("(exit 7) & sleep 1000 &");
    Process other = start("(exit 7) &");
    LauncherWatch busyWatch = LauncherWatch.start(busy, Set.of("sleep"), LIMIT);
    LauncherWatch otherWatch = LauncherWatch.start(other, Set.of("orterun"), LIMIT);
    try {
      // Nothing is to happen; so long would be enough for it.
      assertThat(busy.waitFor(3 * LIMIT.toSeconds(), TimeUnit.SECONDS)).isFalse();
      assertThat(other.isAlive()).isTrue();
      assertThat(busyWatch.status()).isEmpty();
      assertThat(otherWatch.status()).isEmpty();
    } finally {
      busy.descendants().forEach(ProcessHandle::destroyForcibly);
      busy.destroyForcibly().waitFor();
      other.destroyForcibly().waitFor();
    }
  }
}
