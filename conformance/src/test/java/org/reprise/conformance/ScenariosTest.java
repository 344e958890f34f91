package org.reprise.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The conformance program: one scenario for every call whose outcome can differ. */
class ScenariosTest {
  private static final JitterSeeds REPLAYS = JitterSeeds.drawn("ScenariosTest", 2);
  private static final int PLAIN_RUNS_MAX = 30;

  /** Of those, the ones with all scenarios; the others have those alone that were still alike. */
  private static final int WHOLE_RUNS = 2;

  /**
   * With many more ranks than processors MPICH takes long for all. These are quick and have one of
   * each family of calls.
   */
  private static final List<String> ONE_OF_EACH_FAMILY =
      List.of(
          "recv_any_source",
          "recv_any_both",
          "irecv_waitall",
          "irecv_waitany",
          "irecv_testsome",
          "sendrecv_any",
          "recv_init_waitany",
          "recv_init_cancel",
          "probe_recv",
          "iprobe_recv",
          "mprobe_mrecv",
          "improbe_imrecv",
          "request_get_status",
          "request_free",
          "cancel_wildcard",
          "inactive_requests",
          "truncate_waitsome",
          "isend_modes",
          "comm_split",
          "isendrecv_any");

  @RegisterExtension private final Workbench bench = new Workbench();

  private static Stream<Arguments> jobs() {
    return Stream.of(2, 3, 4, 8)
        .flatMap(
            ranks ->
                DrawnMpi.Draw.of(ranks + " ranks").stream().map(mpi -> Arguments.of(mpi, ranks)));
  }

  private List<Scenario> scenarios(Mpi mpi) {
    Ran list = bench.run(List.of(bench.example(mpi, "conformance").toString(), "--list"));
    List<Scenario> scenarios = Scenario.listed(list.out());
    assertThat(scenarios).as("%s", list).hasSizeGreaterThan(80);
    return scenarios;
  }

  @ParameterizedTest(name = "{0}, {1} ranks")
  @MethodSource("jobs")
  void everyScenarioOfAReplayHasTheRecordedHash(Mpi mpi, int ranks) {
    List<String> names = scenarios(mpi).stream().map(Scenario::name).toList();
    List<String> chosen = List.of();
    if (mpi == Mpi.MPICH && ranks > 4) {
      assertThat(names).containsAll(ONE_OF_EACH_FAMILY);
      names = ONE_OF_EACH_FAMILY;
      chosen = names;
    }
    Ran recording =
        bench.record(mpi.job(ranks, bench.example(mpi, "conformance"), chosen.toArray()));
    Map<String, String> recorded = Scenario.hashes(recording.out());
    assertThat(recording.status()).as("%s", recording).isZero();
    assertThat(recorded.keySet()).as("%s", recording).containsExactlyElementsOf(names);
    for (long seed : REPLAYS.seeds()) {
      Ran replay = bench.replay("--jitter", Long.toString(seed));
      assertThat(Scenario.hashes(replay.out()))
          .as("jitter seed %d: %s", seed, replay.said())
          .isEqualTo(recorded);
      assertThat(replay.saysSameOrder()).as("%s", replay).isTrue();
      assertThat(replay.status()).as("%s", replay).isZero();
    }
  }

  /** A replay that repeats what the recording did wrong would pass the test above. */
  @ParameterizedTest(name = "{0}")
  @DrawnMpi
  void aRecordedRunOfASteadyScenarioIsAPlainOne(Mpi mpi) {
    Object[] steady = scenarios(mpi).stream().filter(s -> !s.races()).map(Scenario::name).toArray();
    List<String> job = mpi.job(3, bench.example(mpi, "conformance"), steady);
    Ran plain = bench.run(job);
    Map<String, String> hashes = Scenario.hashes(plain.out());
    assertThat(plain.status()).as("%s", plain).isZero();
    assertThat(hashes).as("%s", plain).hasSize(steady.length).isNotEmpty();
    for (String[] options : new String[][] {{}, {"--events"}}) {
      Ran recording = bench.record(job, options);
      assertThat(Scenario.hashes(recording.out())).as("%s", recording).isEqualTo(hashes);
      assertThat(recording.status()).as("%s", recording).isZero();
    }
  }

  /** Otherwise the test above would pass for a program in which nothing can differ. */
  @ParameterizedTest(name = "{0}")
  @DrawnMpi
  void withoutReplayEveryRacingScenarioDiffersAndEverySteadyOneDoesNot(Mpi mpi) {
    int ranks = 4;
    Map<Boolean, List<String>> names =
        scenarios(mpi).stream()
            .collect(
                Collectors.partitioningBy(
                    scenario -> scenario.races() && scenario.racesFrom() <= ranks,
                    Collectors.mapping(Scenario::name, Collectors.toList())));
    Map<String, Set<String>> seen = new TreeMap<>();
    Set<String> alike = new TreeSet<>(names.getOrDefault(true, List.of()));
    for (int seed = 1; seed <= PLAIN_RUNS_MAX && (seed <= WHOLE_RUNS || !alike.isEmpty()); seed++) {
      Object[] chosen = seed <= WHOLE_RUNS ? new Object[0] : alike.toArray();
      Ran run = bench.shake(mpi.job(ranks, bench.example(mpi, "conformance"), chosen), seed);
      assertThat(run.status()).as("%s", run).isZero();
      Scenario.hashes(run.out())
          .forEach((name, hash) -> seen.computeIfAbsent(name, _ -> new TreeSet<>()).add(hash));
      alike.removeIf(name -> seen.getOrDefault(name, Set.of()).size() > 1);
    }
    assertThat(alike).as("alike in %d plain runs", PLAIN_RUNS_MAX).isEmpty();
    assertThat(names.getOrDefault(false, List.of()))
        .isNotEmpty()
        .allSatisfy(name -> assertThat(seen.get(name)).as(name).hasSize(1));
  }
}
