package org.reprise.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.reprise.trace.Rank;
import org.reprise.trace.events.CallSite;
import org.reprise.trace.events.CallSites;
import org.reprise.trace.events.Event;
import org.reprise.trace.events.EventFlag;
import org.reprise.trace.events.EventKind;
import org.reprise.trace.events.EventReader;
import org.reprise.trace.file.RankHeader;
import org.reprise.trace.file.Wire;
import org.reprise.trace.run.RecordedRun;

/** Full events: all that a program did, the same whether it was recorded or learned in a replay. */
class EventsTest {
  /**
   * After a Waitall that fails, Open MPI leaves open what was not complete yet; in a replay all of
   * it is complete by then.
   */
  private static final String WAITALL_THAT_FAILS = "truncate_waitall";

  /** Made before there is a file, or read as an input. */
  private static final List<String> NO_EVENTS = List.of("Init", "Init_thread", "Wtime");

  private static final String PYTHON = "/usr/bin/python3"; // to which Debian's mpi4py belongs

  @RegisterExtension private final Workbench bench = new Workbench();

  private List<String> scenarios(Mpi mpi, int ranks) {
    Ran list = bench.run(List.of(bench.example(mpi, "conformance").toString(), "--list"));
    Object[] names =
        Scenario.listed(list.out()).stream()
            .map(Scenario::name)
            .filter(name -> !name.equals(WAITALL_THAT_FAILS))
            .toArray();
    assertThat(names).as("%s", list).hasSizeGreaterThan(80);
    return mpi.job(ranks, bench.example(mpi, "conformance"), names);
  }

  @ParameterizedTest(name = "{0}")
  @DrawnMpi
  void everyCallOfEveryScenarioIsThereAndAReplayShowsTheSame(Mpi mpi) {
    Ran recording = bench.record(scenarios(mpi, 3), "--events");
    assertThat(recording.status()).as("%s", recording).isZero();
    RecordedRun run = bench.latest();
    Map<Optional<CallSite.Frame>, Integer> addresses = new HashMap<>();
    SortedMap<Rank, List<Event>> recorded = byReturnAddress(run, events(run), addresses);
    recorded.forEach((rank, events) -> requireEveryCall(run, rank, events));
    Ran learning = bench.reprise("events", "--stack", "1", "--jitter", "3", "--count", "0");
    assertThat(learning.status()).as("%s", learning).isZero();
    SortedMap<Rank, List<Event>> learned = byReturnAddress(run, events(run), addresses);
    assertThat(learned.keySet()).isEqualTo(recorded.keySet());
    recorded.forEach(
        (rank, events) -> {
          List<Event> again = learned.getOrDefault(rank, List.of());
          assertThat(withoutPolls(again))
              .as("%s", rank)
              .containsExactlyElementsOf(withoutPolls(events));
          assertThat(failedPolls(again)).as("%s", rank).isEqualTo(failedPolls(events));
        });
  }

  /**
   * With call sites numbered by the address to which the call returns: a replay keeps more frames
   * of a stack than a recording, so that it can tell more sites apart. An address has the same
   * number in both, and no other address has it.
   */
  private static SortedMap<Rank, List<Event>> byReturnAddress(
      RecordedRun run,
      SortedMap<Rank, List<Event>> events,
      Map<Optional<CallSite.Frame>, Integer> numbers) {
    SortedMap<Rank, List<Event>> numbered = new TreeMap<>();
    events.forEach(
        (rank, list) -> {
          CallSites sites = run.directory().sites(rank);
          numbered.put(
              rank,
              list.stream()
                  .map(
                      event ->
                          withSite(
                              event,
                              numbers.computeIfAbsent(
                                  sites.site(event.site()).map(site -> site.frames().getFirst()),
                                  _ -> numbers.size() + 1)))
                  .toList());
        });
    return numbered;
  }

  private static Event withSite(Event event, int site) {
    return new Event(
        event.number(),
        event.kind(),
        event.flags(),
        event.call(),
        site,
        event.peer(),
        event.tag(),
        event.flow(),
        event.comm(),
        event.post(),
        event.bytes(),
        event.startNanos(),
        event.durationNanos(),
        event.thread(),
        event.peers());
  }

  /** By call site. Into how many records a row of them falls depends on when a window was full. */
  private static Map<Integer, Long> failedPolls(List<Event> events) {
    Map<Integer, Long> polls = new TreeMap<>();
    events.stream()
        .filter(event -> event.kind() == EventKind.POLLS)
        .forEach(event -> polls.merge(event.site(), event.bytes(), Long::sum));
    return polls;
  }

  private static List<Event> withoutPolls(List<Event> events) {
    List<Event> others = new ArrayList<>();
    long[] numbers = new long[events.size()];
    for (Event event : events) {
      if (event.kind() != EventKind.POLLS) {
        numbers[(int) event.number()] = others.size();
        long post = event.post() < 0 ? event.post() : numbers[(int) event.post()];
        others.add(withoutTimes(event, others.size(), post));
      }
    }
    return others;
  }

  /** Events of one call are joined; failed polls stand in one with their number. */
  private static void requireEveryCall(RecordedRun run, Rank rank, List<Event> events) {
    RankHeader header = run.header(rank);
    List<String> names = run.description().callNames();
    Map<String, Long> made = new TreeMap<>();
    Map<String, Long> seen = new TreeMap<>();
    for (int call = 0; call < names.size(); call++) {
      if (header.callCount(call) > 0 && !NO_EVENTS.contains(names.get(call))) {
        made.put(names.get(call), header.callCount(call));
      }
    }
    for (Event event : events) {
      String name = names.get(event.call());
      boolean counts =
          !event.flags().contains(EventFlag.JOINED)
              && event.kind() != EventKind.MATCHED
              && event.kind() != EventKind.UNMATCHED
              && !NO_EVENTS.contains(name);
      if (counts) {
        seen.merge(name, event.kind() == EventKind.POLLS ? event.bytes() : 1, Long::sum);
      }
    }
    assertThat(seen).as("%s", rank).isEqualTo(made);
  }

  @ParameterizedTest(name = "{0}")
  @DrawnMpi
  void aKilledRankLeavesItsEventsUpToThere(Mpi mpi) throws IOException {
    bench.set("OMPI_MCA_btl_vader_backing_directory", bench.directory().toString());
    bench.record(mpi.job(2, bench.example(mpi, "alone_kill")), "--events");
    RecordedRun run = bench.latest();
    assertThat(run.headers().values())
        .as("a rank was killed")
        .anyMatch(header -> header.state() == Wire.State.RUNNING);
    SortedMap<Rank, List<Event>> recorded = events(run);
    assertThat(recorded.values()).allSatisfy(events -> assertThat(events).isNotEmpty());
    for (Rank rank : run.ranksPresent()) {
      Files.delete(run.directory().eventsFile(rank));
    }
    bench.reprise("events", "--count", "0");
    events(run)
        .forEach(
            (rank, learned) -> {
              // The end of the job may meet another rank sooner, or later, than it did.
              List<Event> events = recorded.getOrDefault(rank, List.of());
              int common = Math.min(learned.size(), events.size());
              assertThat(common).as("%s", rank).isPositive();
              assertThat(learned.subList(0, common))
                  .as("%s", rank)
                  .containsExactlyElementsOf(events.subList(0, common));
            });
  }

  @ParameterizedTest(name = "{0}")
  @DrawnMpi
  void aCallSiteIsTheProgramsOwnLine(Mpi mpi) {
    bench.record(mpi.job(2, bench.example(mpi, "order_sum")), "--events", "--stack", "4");
    Ran list = bench.reprise("events", "--rank", "0", "--count", "3");
    assertThat(list.out()).as("%s", list).contains("recv from 1 (any)", "order_sum.c:");
    assertThat(list.out()).as("no frame of the library").doesNotContain("libmpi", "libreprise");
  }

  /** Whether events are recorded or learned. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aCallSiteOfAPythonProgramIsItsOwnLine(boolean recorded) throws IOException {
    Ran imports = bench.run(List.of(PYTHON, "-c", "import mpi4py"));
    Workshop.requireThat(imports.status() == 0, PYTHON + " has no mpi4py");
    bench.example(Mpi.OPEN_MPI, "conformance"); // the MPI must be there
    Path script = Workshop.root().resolve("examples/python/race.py");
    List<String> job = Mpi.OPEN_MPI.job(3, PYTHON, script.toString(), 20);
    Ran recording = recorded ? bench.record(job, "--events", "--stack", "2") : bench.record(job);
    assertThat(recording.status()).as("%s", recording).isZero();
    Ran list = recorded ? bench.reprise("events") : bench.reprise("events", "--stack", "2");
    assertThat(list.status()).as("%s", list).isZero();
    for (String call : List.of("comm.send({", "comm.Send([", "comm.Recv([", "status=status):")) {
      String place = "race.py:" + lineWith(script, call) + "\n";
      assertThat(list.out()).as("%s: %s", call, list).contains(place);
    }
    assertThat(list.out()).as("%s", list).contains(" at fold race.py:", " by main race.py:");
    assertThat(list.out().lines().filter(line -> line.contains(" recv from ")))
        .isNotEmpty()
        .allMatch(line -> line.contains("race.py:"));
    assertThat(bench.reprise("races").out()).contains("message race race.py:");
  }

  private static int lineWith(Path file, String text) throws IOException {
    List<String> lines = Files.readAllLines(file);
    return 1
        + lines.indexOf(
            lines.stream().filter(line -> line.contains(text)).findFirst().orElseThrow());
  }

  /**
   * All that does not depend on the clock; where a library has one handle for all sends that are
   * done, their completions are told apart by order alone, which differs.
   */
  private static SortedMap<Rank, List<Event>> events(RecordedRun run) {
    SortedMap<Rank, List<Event>> events = new TreeMap<>();
    for (Rank rank : run.ranksPresent()) {
      List<Event> list = new ArrayList<>();
      List<EventKind> kinds = new ArrayList<>();
      try (EventReader reader = run.directory().openEvents(rank)) {
        while (reader.advance()) {
          Event event = Event.at(reader);
          kinds.add(event.kind());
          boolean endOfSend =
              event.kind() == EventKind.COMPLETE
                  && kinds.get((int) event.post()) == EventKind.POST_SEND;
          list.add(withoutTimes(event, event.number(), endOfSend ? -1 : event.post()));
        }
      }
      events.put(rank, list);
    }
    return events;
  }

  private static Event withoutTimes(Event event, long number, long post) {
    return new Event(
        number,
        event.kind(),
        event.flags(),
        event.call(),
        event.site(),
        event.peer(),
        event.tag(),
        event.flow(),
        event.comm(),
        post,
        event.bytes(),
        0,
        0,
        event.thread(),
        event.peers());
  }
}
