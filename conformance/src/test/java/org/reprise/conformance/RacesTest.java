package org.reprise.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What races in real programs, and that forcing no more than that is enough. */
class RacesTest {
  private static final int RACES = 66;

  @RegisterExtension private final Workbench bench = new Workbench();

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mpi.class)
  void aSumInOrderOfArrivalRacesAtItsReceive(Mpi mpi) throws Exception {
    bench.record(mpi.job(3, bench.example(mpi, "order_sum"), 20));
    Ran races = bench.reprise("races");
    assertThat(races.status()).as("%s", races).isEqualTo(RACES);
    assertThat(races.out())
        .contains("WARNING: Reprise: message race", "SUMMARY: Reprise: message race order_sum.c:")
        .contains("1 finding");
    Path intended =
        Files.writeString(bench.directory().resolve("races.txt"), "message-race:order_sum.c\n");
    Ran suppressed = bench.reprise("races", "--suppressions", intended.toString());
    assertThat(suppressed.status()).as("%s", suppressed).isZero();
    assertThat(suppressed.out()).contains("Suppressed: 1 finding");
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mpi.class)
  void aWildcardWithOneSenderDoesNotRace(Mpi mpi) {
    bench.record(mpi.job(2, bench.example(mpi, "big_messages"), 20));
    Ran races = bench.reprise("races");
    assertThat(races.status()).as("%s", races).isZero();
    assertThat(races.out()).as("%s", races).contains("nothing found", "the same order");
  }

  /** The control set suffices: whatever the ranks' speed, nothing else has a choice. */
  @ParameterizedTest(name = "{0}")
  @EnumSource(Mpi.class)
  void aDistilledRunReplaysToTheSameHashes(Mpi mpi) {
    Ran list = bench.run(List.of(bench.example(mpi, "conformance").toString(), "--list"));
    Object[] names =
        Scenario.listed(list.out()).stream()
            .map(Scenario::name)
            .filter(name -> !name.equals("truncate_waitall"))
            .toArray();
    Ran recording =
        bench.record(
            mpi.job(3, bench.example(mpi, "conformance"), names), "--name", "all", "--events");
    Map<String, String> recorded = Scenario.hashes(recording.out());
    Ran distilled = bench.reprise("distill", "all");
    assertThat(distilled.status()).as("%s", distilled).isZero();
    for (int seed = 1; seed <= 2; seed++) {
      Ran replay = bench.reprise("replay", "all-distilled", "--jitter", Integer.toString(seed));
      assertThat(replay.saysSameOrder()).as("seed %d: %s", seed, replay).isTrue();
      assertThat(Scenario.hashes(replay.out())).as("seed %d", seed).isEqualTo(recorded);
    }
  }
}
