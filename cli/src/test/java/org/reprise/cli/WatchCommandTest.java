package org.reprise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What {@code reprise watch} shows of runs. */
@Timeout(120)
class WatchCommandTest {
  @TempDir Path directory;

  private Shell shell() {
    return new Shell(directory.resolve("runs"));
  }

  @Test
  void aRunThatHasEndedIsShownOnceWithItsRaces() throws IOException {
    Shell shell = shell();
    SampleRuns.racing(shell.store());
    assertThat(shell.type("watch")).as(shell.err()).isZero();
    assertThat(shell.out())
        .startsWith("race: a receive at step1 race.c:1 on rank 0 could have got another message")
        .contains("race-1: 3 ranks, ", "rank 0 ", "finalized")
        .containsPattern("the run has ended; 1 receive or probe raced, at 1 pair of lines; ");
  }

  @Test
  void aRunWithoutEventsShowsItsRanks() throws IOException {
    Shell shell = shell();
    SampleRuns.bank(shell.store());
    assertThat(shell.type("watch")).as(shell.err()).isZero();
    assertThat(shell.out()).contains("rank 0 ").contains("the run has ended");
  }

  @Test
  void aSearchWhileTheProgramRunsIsForOneRun() {
    Shell shell = shell();
    assertThat(shell.type("record", "--live", "--until-fails", "mpirun", "true")).isEqualTo(2);
    assertThat(shell.err()).contains("--live, --warn and --fail are for one run");
  }
}
