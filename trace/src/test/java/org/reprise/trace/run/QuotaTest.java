package org.reprise.trace.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.reprise.trace.run.Quota.Candidate;

class QuotaTest {
  @TempDir Path directory;
  private RunStore store = new RunStore(Path.of("unset"));

  @BeforeEach
  void open() {
    store = new RunStore(directory.resolve("home"));
  }

  private RunDirectory run(String program, boolean automatic, int status) {
    RunDirectory run = store.create(program);
    run.describe(
        RunJsonTest.ended()
            .with()
            .name(run.name())
            .automatic(automatic)
            .ending(new Ending.Exited(status))
            .build());
    return run;
  }

  @Test
  void onlyAutomaticRunsAreRemoved() {
    RunDirectory asked = run("asked", false, 0);
    run("old", true, 0);
    RunDirectory last = run("sample", true, 0);
    assertThat(new Quota(1, Long.MAX_VALUE).enforce(store))
        .extracting(RunDirectory::name)
        .containsExactly("old-1");
    assertThat(store.list()).containsExactlyInAnyOrder(asked, last);
  }

  @Test
  void aRunThatIsKeptIsNoLongerAutomatic() {
    RunDirectory old = run("old", true, 1);
    old.describe(old.description().with().automatic(false).build());
    run("sample", true, 0);
    run("sample", true, 0);
    assertThat(new Quota(1, Long.MAX_VALUE).enforce(store))
        .extracting(RunDirectory::name)
        .containsExactly("sample-1");
  }

  @Test
  void oneThatIsBeingRecordedStays() {
    RunDirectory live = store.create("live");
    live.describe(
        RunDescription.begun("live-1", List.of("x"), "/", RunJsonTest.description().mpi())
            .automatic(true)
            .build());
    run("sample", true, 0);
    assertThat(new Quota(1, Long.MAX_VALUE).enforce(store)).isEmpty();
    assertThat(store.list()).hasSize(2);
  }

  private static Candidate candidate(String name, boolean failed, long bytes) {
    return new Candidate(new RunDirectory(Path.of("/" + name)), failed, bytes);
  }

  @Test
  void theOldestThatPassedGoesBeforeAnOlderOneThatFailed() {
    List<Candidate> all =
        List.of(
            candidate("failed", true, 1),
            candidate("old", false, 1),
            candidate("middle", false, 1),
            candidate("new", false, 1));
    assertThat(new Quota(3, 100).excess(all)).containsExactly(all.get(1));
    assertThat(new Quota(2, 100).excess(all)).containsExactly(all.get(1), all.get(2));
  }

  @Test
  void failedRunsDoNotDriveOutAllOthers() {
    List<Candidate> all =
        List.of(
            candidate("passed", false, 1),
            candidate("failed-1", true, 1),
            candidate("failed-2", true, 1),
            candidate("failed-3", true, 1));
    assertThat(new Quota(3, 100).excess(all)).containsExactly(all.get(1));
    assertThat(new Quota(10, 2).excess(all)).containsExactly(all.get(1), all.get(2));
  }

  @Test
  void whatIsRemovedIsEnoughAndNoMoreAndNeverTheNewest() {
    long seed = Long.getLong("reprise.seed", 20261118);
    System.out.println("runs with -Dreprise.seed=" + seed);
    Random random = new Random(seed);
    for (int round = 0; round < 2000; round++) {
      List<Candidate> all = new ArrayList<>();
      int count = 1 + random.nextInt(12);
      for (int i = 0; i < count; i++) {
        all.add(candidate("run-" + i, random.nextBoolean(), random.nextInt(10)));
      }
      Quota quota = new Quota(1 + random.nextInt(8), 1 + random.nextInt(40));
      List<Candidate> excess = quota.excess(all);
      List<Candidate> kept = new ArrayList<>(all);
      kept.removeAll(excess);
      assertThat(kept).contains(all.getLast());
      assertThat(isWithin(quota, kept) || kept.size() == 1).isTrue();
      if (!excess.isEmpty()) {
        List<Candidate> before = new ArrayList<>(kept);
        before.add(excess.getLast());
        assertThat(isWithin(quota, before)).as("the last removal was needed").isFalse();
      }
    }
  }

  private static boolean isWithin(Quota quota, List<Candidate> runs) {
    return runs.size() <= quota.runsMax()
        && runs.stream().mapToLong(Candidate::bytes).sum() <= quota.bytesMax();
  }
}
