package org.reprise.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.reprise.trace.Rank;
import org.reprise.trace.events.EventReader;
import org.reprise.trace.run.RunDirectory;

/** What races in real programs, and that forcing no more than that is enough. */
class RacesTest {
  private static final int RACES = 66;

  @RegisterExtension private final Workbench bench = new Workbench();

  @ParameterizedTest(name = "{0}")
  @DrawnMpi
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

  /** The search beside the program comes to what the search in its events comes to. */
  @ParameterizedTest(name = "{0}")
  @DrawnMpi
  void whatRacesIsKnownWhenTheProgramHasEnded(Mpi mpi) {
    Ran live = bench.record(mpi.job(3, bench.example(mpi, "order_sum"), 20), "--warn", "--fail");
    assertThat(live.status()).as("%s", live).isEqualTo(RACES);
    assertThat(live.err())
        .containsOnlyOnce("race: a receive at gather order_sum.c:")
        .contains("could have got another message: that of rank ", ", sent at work order_sum.c:");
    Matcher told = Pattern.compile("(\\d+) receives? (?:and|or) probes? raced").matcher(live.err());
    assertThat(told.find()).as("%s", live).isTrue();
    assertThat(bench.reprise("races", "--stats", "--format", "json").out())
        .contains("\"racingReceives\" : " + told.group(1) + ",");
  }

  @ParameterizedTest(name = "{0}")
  @DrawnMpi
  void callersThatACallWasInlinedIntoAreOnItsStackAndCanBeSuppressed(Mpi mpi) throws Exception {
    bench.record(mpi.job(3, bench.compiled(mpi, "inlined")), "--events");
    Ran races = bench.reprise("races");
    assertThat(races.status()).as("%s", races).isEqualTo(RACES);
    String stack = "    #0 take inlined.c:13\n    #1 %s inlined.c:%d\n    #2 main inlined.c:%d\n";
    assertThat(races.out())
        .contains(stack.formatted("intended", 21, 40), stack.formatted("overlooked", 29, 41))
        .contains("2 findings");
    assertThat(bench.reprise("events", "--rank", "0").out())
        .containsPattern("at take inlined.c:13\n +by intended inlined.c:21\n +by main");
    for (String form : List.of("json", "sarif", "html")) {
      assertThat(bench.reprise("races", "--format", form).out())
          .as(form)
          .contains("take", "intended", "overlooked", "main");
    }
    Path intended =
        Files.writeString(bench.directory().resolve("races.txt"), "message-race:intended\n");
    Ran suppressed = bench.reprise("races", "--suppressions", intended.toString());
    assertThat(suppressed.status()).as("%s", suppressed).isEqualTo(RACES);
    assertThat(suppressed.out())
        .contains("Suppressed: 1 finding", "overlooked inlined.c:29")
        .doesNotContain("intended inlined.c");
  }

  @ParameterizedTest(name = "{0}")
  @DrawnMpi
  void racesThroughALayerOverMpiAreToldApartByWhereItIsCalled(Mpi mpi) {
    bench.record(mpi.job(3, bench.compiled(mpi, "layered")));
    Ran races = bench.reprise("races");
    assertThat(races.status()).as("%s", races).isEqualTo(RACES);
    assertThat(races.out())
        .contains("through stub_MPI_Recv layered.c:6, took")
        .contains("    #0 main layered.c:25\n", "    #0 main layered.c:27\n")
        .contains("#0 send_twice layered.c:")
        .doesNotContain("#0 stub_MPI");
    assertThat(bench.reprise("events", "--rank", "0").out())
        .contains("at main layered.c:25 through stub_MPI_Recv layered.c:6");
  }

  @ParameterizedTest(name = "{0}")
  @DrawnMpi
  void aWildcardWithOneSenderDoesNotRace(Mpi mpi) {
    bench.record(mpi.job(2, bench.example(mpi, "big_messages"), 20));
    Ran races = bench.reprise("races");
    assertThat(races.status()).as("%s", races).isZero();
    assertThat(races.out()).as("%s", races).contains("nothing found", "the same order");
  }

  /** The beginning of this run has no race; what is kept of it must not pass for the whole. */
  @ParameterizedTest(name = "{0}")
  @DrawnMpi
  void aLearningReplayThatIsCutShortProvesNothing(Mpi mpi) throws Exception {
    bench.set("OMPI_MCA_btl_vader_backing_directory", bench.directory().toString());
    Path go = Files.createFile(bench.directory().resolve("go"));
    Path waiting = bench.directory().resolve("waiting");
    Ran recording = bench.record(mpi.job(3, bench.compiled(mpi, "gated")));
    assertThat(recording.status()).as("%s", recording).isZero();
    Files.delete(go);
    for (String victim : List.of("reprise, politely", "rank 0", "everything")) {
      Files.deleteIfExists(waiting);
      Workbench.Running races = bench.start(List.of("races"));
      awaitFile(races, waiting);
      switch (victim) {
        case "rank 0" -> assertThat(rankZero().destroyForcibly()).isTrue();
        case "everything" -> bench.processes().kill();
        default -> assertThat(process(races.pid()).destroy()).isTrue();
      }
      Ran ran = races.end();
      assertThat(ran.status()).as("%s: %s", victim, ran).isNotZero();
      assertThat(ran.out()).as("%s: %s", victim, ran).doesNotContain("Theorem", "every run");
    }
    Files.createFile(go);
    Ran races = bench.reprise("races");
    assertThat(races.status()).as("%s", races).isEqualTo(RACES);
    assertThat(races.err()).contains("to learn its events");
    Ran again = bench.reprise("races");
    assertThat(again.status()).as("%s", again).isEqualTo(RACES);
    assertThat(again.err()).as("they are whole now").doesNotContain("to learn its events");
  }

  private static void awaitFile(Workbench.Running command, Path file) throws InterruptedException {
    while (!Files.exists(file)) {
      assertThat(command.isAlive()).as("the replay still runs").isTrue();
      Thread.sleep(20);
    }
  }

  /** Of the replay under way. */
  private ProcessHandle rankZero() throws IOException {
    try (Stream<Path> entries = Files.list(bench.latest().directory().path())) {
      Path scratch =
          entries
              .filter(entry -> String.valueOf(entry.getFileName()).startsWith("replay-"))
              .findFirst()
              .orElseThrow();
      return process(new RunDirectory(scratch).header(new Rank(0)).pid());
    }
  }

  private static ProcessHandle process(long pid) {
    return ProcessHandle.of(pid).orElseThrow();
  }

  /** Workers only send, rank 0 only receives: its last receive waited for every worker. */
  @ParameterizedTest(name = "{0}")
  @DrawnMpi
  void theGraphOfARunTellsWhatWasBeforeWhat(Mpi mpi) {
    bench.record(mpi.job(3, bench.example(mpi, "order_sum"), 20));
    Ran order = bench.reprise("graph", "--order", "0:1", "0:2");
    assertThat(order.status()).as("%s", order).isZero();
    assertThat(order.out())
        .as("%s", order)
        .startsWith("0:1 is before 0:2:")
        .contains("MPI_Recv from ", "at gather order_sum.c:");
    assertThat(bench.reprise("graph", "--order", "1:1", "2:1").out()).startsWith("concurrent:");
    Ran stop = bench.reprise("graph", "--breakpoint", "0:1");
    assertThat(stop.status()).as("%s", stop).isZero();
    assertThat(stop.out()).as("%s", stop).contains("stops before its first call", "MPI_Send to 0");
    String cut = stop.out().lines().toList().getLast().replace("as a cut: ", "");
    assertThat(bench.reprise("graph", "--cut", cut).status()).as(cut).isZero();
    Ran crossed = bench.reprise("graph", "--cut", "2,0,0");
    assertThat(crossed.status()).as("%s", crossed).isEqualTo(1);
    assertThat(crossed.out()).as("%s", crossed).contains("0:1 MPI_Recv", "MPI_Send to 0");
    Ran path = bench.reprise("graph", "--critical-path", "--format", "json");
    assertThat(path.status()).as("%s", path).isZero();
    assertThat(path.out()).contains("\"shares\"", "order_sum.c");
  }

  /**
   * Ranks 0 and 2 on one side, led by 0, and 1 and 3 on the other: nobody, leader or not, leaves a
   * call that makes a communicator before all have come.
   */
  @ParameterizedTest(name = "{0}")
  @DrawnMpi
  void whoMakesAnIntercommunicatorWaitsForAllOfBothSides(Mpi mpi) {
    orderEverybody(mpi, "intercomm_merge", "Intercomm_create", "Intercomm_merge");
    orderEverybody(mpi, "intercomm_dup", "Comm_dup", "Comm_create");
  }

  /** Open MPI 4.1 has none. */
  @Test
  void persistentCollectivesOrderInWhicheverOrderTheyAreStarted() {
    orderEverybody(Mpi.MPICH, "barrier_init", "Waitall");
  }

  private void orderEverybody(Mpi mpi, String scenario, String... makers) {
    List<String> job = mpi.job(4, bench.example(mpi, "conformance"), scenario);
    Ran recording = bench.record(job, "--events");
    assertThat(recording.status()).as("%s", recording).isZero();
    for (String call : makers) {
      List<Calls> calls =
          bench.latest().ranksPresent().stream().map(rank -> numbers(call, rank)).toList();
      for (Rank rank : bench.latest().ranksPresent()) {
        String event = rank.number() + ":" + calls.get(rank.number()).last;
        Ran past = bench.reprise("graph", "--past", event);
        for (Rank other : bench.latest().ranksPresent()) {
          Matcher begun =
              Pattern.compile("rank " + other.number() + ": (\\d+) of").matcher(past.out());
          assertThat(begun.find()).as("%s of %s", past, other).isTrue();
          assertThat(Long.parseLong(begun.group(1)))
              .as("%s of %s", past, other)
              .isGreaterThan(calls.get(other.number()).first);
        }
      }
    }
  }

  /** The numbers of a call's events, which may be several. */
  private record Calls(long first, long last) {}

  private Calls numbers(String call, Rank rank) {
    List<String> names = bench.latest().description().callNames();
    List<Long> numbers = new ArrayList<>();
    try (EventReader events = bench.latest().directory().openEvents(rank)) {
      while (events.advance()) {
        if (names.get(events.call()).equals(call)) {
          numbers.add(events.number());
        }
      }
    }
    assertThat(numbers).as(call).isNotEmpty();
    return new Calls(numbers.getFirst(), numbers.getLast());
  }

  /** The control set suffices: whatever the ranks' speed, nothing else has a choice. */
  @ParameterizedTest(name = "{0}")
  @DrawnMpi
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
