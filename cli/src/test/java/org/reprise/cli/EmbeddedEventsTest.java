package org.reprise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.reprise.trace.Rank;
import org.reprise.trace.events.CallSites;
import org.reprise.trace.events.Event;
import org.reprise.trace.events.EventKind;
import org.reprise.trace.events.EventReader;
import org.reprise.trace.run.RecordedRun;
import org.reprise.trace.run.RunDirectory;

/** Events and races of Java programs on Reprise's own engine. */
class EmbeddedEventsTest {
  private static final Path ROOT = Path.of(System.getProperty("reprise.root"));
  private static final Path PROGRAMS = ROOT.resolve("ranks/src/test/programs");

  @TempDir Path home;
  private Shell shell = new Shell(Path.of("unset"));

  @BeforeEach
  void open() {
    shell = new Shell(home);
  }

  private static String example(String name) {
    return ROOT.resolve("examples/java").resolve(name + ".java").toString();
  }

  static List<Path> programs() throws IOException {
    try (Stream<Path> files = Files.list(PROGRAMS)) {
      return files.sorted().toList();
    }
  }

  private int type(String line) {
    return shell.type(line.split(" "));
  }

  @ParameterizedTest
  @CsvSource({"ReceiveRace, 4, 1", "LostUpdate, 3, 1"})
  void aRaceIsNamedWithTheLinesOfTheProgram(String name, int ranks, int seed) throws IOException {
    type("record --events -n " + ranks + " --seed " + seed + " " + example(name));
    assertThat(type("races")).isEqualTo(66);
    Golden.check("races-" + name, shell.out());
  }

  @Test
  void aProgramWithoutRacesIsToldWhatThatMeans() {
    type("record -n 4 " + example("Ring"));
    assertThat(type("races")).isZero();
    assertThat(shell.err()).isEqualTo("reprise: replaying Ring-1 to learn its events\n");
    assertThat(shell.out())
        .isEqualTo(
            "Ring-1: nothing found. No receive or probe of this run could have got another message,"
                + " so every run on this input takes the same order (Netzer and Miller 1992,"
                + " Theorem 1), as far as it was recorded.\n");
  }

  @Test
  void aProgramThatPollsIsNotToldThatAllRunsAreTheSame() {
    type("record -n 4 " + PROGRAMS.resolve("Completion.java"));
    assertThat(type("races")).isZero();
    assertThat(shell.out())
        .startsWith("Completion-1: nothing found. No recorded receive or probe could have got")
        .contains("Nothing is claimed about other runs, because it polled")
        .doesNotContain("Theorem");
  }

  /** Whether the message or the cancel comes first, no race of messages tells. */
  @Test
  void aProgramThatCancelsIsNotToldThatAllRunsAreTheSame() throws IOException {
    Path program =
        Files.writeString(
            home.resolve("Cancels.java"),
            """
            import mpi.*;
            class Cancels {
              public static void main(String[] arguments) throws Exception {
                MPI.Init(arguments);
                int[] one = new int[1];
                if (MPI.COMM_WORLD.Rank() == 1) {
                  MPI.COMM_WORLD.Send(one, 0, 1, MPI.INT, 0, 1);
                } else {
                  Request open = MPI.COMM_WORLD.Irecv(one, 0, 1, MPI.INT, MPI.ANY_SOURCE, 1);
                  open.Cancel();
                  if (open.Wait().Test_cancelled()) {
                    MPI.COMM_WORLD.Recv(one, 0, 1, MPI.INT, MPI.ANY_SOURCE, 1);
                  }
                }
                MPI.Finalize();
              }
            }
            """);
    assertThat(type("record --events --name cancels -n 2 " + program)).as(shell.err()).isZero();
    assertThat(type("races cancels")).isZero();
    assertThat(shell.out())
        .contains(
            "Note: 1 call of MPI_Cancel for a receive that a message might have reached,",
            "Nothing is claimed about other runs, because there is 1 call of MPI_Cancel")
        .doesNotContain("Theorem");
    type("races cancels --format json");
    assertThat(shell.out()).contains("\"verdict\" : \"open\"");
  }

  /** Rank 2 had not sent when rank 0 failed; in another run rank 0 takes its message. */
  @Test
  void aRunThatEndedEarlyIsNotToldThatAllRunsAreTheSameAndKeepsItsOutcomes() throws IOException {
    Path program = Files.writeString(home.resolve("Early.java"), EARLY);
    assertThat(type("record --name early -n 3 " + program)).isNotZero();
    assertThat(type("races early")).isZero();
    assertThat(shell.out())
        .contains("the run ended before all ranks came to MPI_Finalize")
        .doesNotContain("Theorem");
    assertThat(type("distill early")).as(shell.err()).isZero();
    assertThat(shell.err())
        .contains("nothing is left out, because ", "before all ranks came to MPI_Finalize");
    assertThat(shell.out())
        .contains("control set at least 0 of 1 receive or probe from any source")
        .contains("  1 kept besides");
    type("replay early");
    assertThat(shell.err()).contains("same order");
  }

  @Test
  void aRankWhoseFileIsGoneIsNamed() throws IOException {
    type("record --name ring -n 3 " + example("Ring"));
    Files.delete(shell.store().find(java.util.Optional.of("ring")).orderFile(new Rank(1)));
    for (String command :
        List.of("replay", "races", "distill", "events", "graph --critical-path")) {
      assertThat(type(command)).as(command).isEqualTo(65);
      assertThat(shell.err())
          .as(command)
          .contains("files of ring are missing", "found: no rank-1.order, which was there when");
    }
    assertThat(type("diff ring ring")).isEqualTo(65);
    assertThat(type("show")).isEqualTo(65);
    assertThat(shell.out()).contains("files of ring are missing: no rank-1.order");
  }

  @ParameterizedTest
  @ValueSource(strings = {"events", "sites"})
  void damagedEventsAreLearnedAgainAsTheErrorSays(String kind) throws IOException {
    type("record --events --name race -n 3 --seed 1 " + example("ReceiveRace"));
    type("races");
    String found = shell.out();
    Files.writeString(home.resolve("race/rank-0." + kind), "cut off");
    assertThat(type("races")).isEqualTo(65);
    String fix = shell.err().replaceFirst("(?s).*fix: .*: reprise ", "").strip();
    assertThat(type(fix.replace("HOME", home.toString()))).as(fix).isZero();
    assertThat(type("races")).isEqualTo(66);
    assertThat(shell.out()).isEqualTo(found);
  }

  /** Two runs of one program in the same order: only what ties events to their run differs. */
  @ParameterizedTest
  @CsvSource({"events, --events", "sites, ''"})
  void eventsOfAnotherRunAreRefused(String kind, String recorded) throws IOException {
    for (String name : List.of("one", "two")) {
      type(
          ("record " + recorded + " --name " + name + " -n 3 --seed 1 " + example("ReceiveRace"))
              .replace("  ", " "));
      type("events " + name);
    }
    String file = "rank-1." + kind;
    Files.copy(
        home.resolve("one").resolve(file),
        home.resolve("two").resolve(file),
        StandardCopyOption.REPLACE_EXISTING);
    for (String command : List.of("events two", "races two", "diff --events one two")) {
      assertThat(type(command)).as(command).isEqualTo(65);
      assertThat(shell.err()).contains(file + " does not belong to this run");
    }
    assertThat(type("events --stack 1 two")).isZero();
    assertThat(type("races two")).isEqualTo(66);
  }

  @Test
  void aRunMayHaveTheNameThatItWouldHaveAnyway() {
    assertThat(type("record --name Ring-1 -n 2 " + example("Ring"))).isZero();
    assertThat(shell.err()).startsWith("reprise: recorded HOME/Ring-1: 2 ranks");
  }

  private static final String EARLY =
      """
      import mpi.MPI;

      public class Early {
        public static void main(String[] args) throws Exception {
          MPI.Init(args);
          int rank = MPI.COMM_WORLD.Rank();
          int[] number = {rank};
          if (rank == 0) {
            MPI.COMM_WORLD.Recv(number, 0, 1, MPI.INT, MPI.ANY_SOURCE, 1);
            throw new IllegalStateException("got " + number[0]);
          }
          if (rank == 2) {
            MPI.COMM_WORLD.Recv(number, 0, 1, MPI.INT, 0, 2);
          }
          MPI.COMM_WORLD.Send(number, 0, 1, MPI.INT, 0, 1);
          MPI.Finalize();
        }
      }
      """;

  /** An event as it is in every run: without times, and with its lines in place of their number. */
  private static List<String> events(RunDirectory run) {
    List<String> lines = new ArrayList<>();
    for (Rank rank : RecordedRun.open(run).ranksPresent()) {
      CallSites sites = CallSites.read(run.sitesFile(rank));
      try (EventReader events = run.openEvents(rank)) {
        while (events.advance()) {
          Event event = Event.at(events);
          lines.add(
              "%s %d %s %s call %d peer %d tag %d %s comm %s of %d, %d bytes, %s at %s"
                  .formatted(
                      rank,
                      event.number(),
                      event.kind(),
                      new TreeSet<>(event.flags()),
                      event.call(),
                      event.peer(),
                      event.tag(),
                      event.flow(),
                      event.comm() < 0 ? "none" : events.communicator(event.comm()),
                      event.post(),
                      event.bytes(),
                      event.peers(),
                      sites.site(event.site())));
        }
      }
    }
    return lines;
  }

  /** These programs make every call that the interface has, in most of its variants. */
  @ParameterizedTest
  @MethodSource("programs")
  void eventsOfAReplayAreThoseOfTheRecording(Path program) {
    /* The arguments are those that one of them expects; the others look at none. */
    int status =
        shell.type(
            "record",
            "--events",
            "--stack",
            "3",
            "--name",
            "run",
            "-n",
            "4",
            program.toString(),
            "one",
            "two words");
    assertThat(status).as(shell.err()).isZero();
    RunDirectory run = shell.store().find(java.util.Optional.of("run"));
    List<String> recorded = events(run);
    assertThat(recorded).isNotEmpty().noneMatch(line -> line.endsWith("at Optional.empty"));
    assertThat(type("events --stack 3 --jitter 5 run")).as(shell.err()).isZero();
    assertThat(events(run)).isEqualTo(recorded);
  }

  @Test
  void everyKindOfEventIsWritten() throws IOException {
    Set<EventKind> kinds = new TreeSet<>();
    for (Path program : programs()) {
      String name = program.getFileName().toString().replace(".java", "");
      if (Set.of("Completion", "Modes", "Probing", "Persistent", "Nobody").contains(name)) {
        type("record --events --name " + name + " -n 4 " + program);
        RunDirectory run = shell.store().find(java.util.Optional.of(name));
        for (Rank rank : RecordedRun.open(run).ranksPresent()) {
          try (EventReader events = run.openEvents(rank)) {
            while (events.advance()) {
              kinds.add(events.kind());
            }
          }
        }
      }
    }
    assertThat(kinds)
        .contains(
            EventKind.SEND,
            EventKind.POST_SEND,
            EventKind.RECV,
            EventKind.POST_RECV,
            EventKind.PROBE,
            EventKind.COMPLETE,
            EventKind.CANCEL,
            EventKind.COLLECTIVE,
            EventKind.LOCAL);
  }

  @ParameterizedTest
  @CsvSource({"ReceiveRace, 4", "LostUpdate, 3", "TravellingSalesman, 4"})
  void aDistilledRunReplaysUnderLoad(String name, int ranks) {
    type("record -n " + ranks + " " + example(name));
    String printed = shell.out();
    assertThat(type("distill " + name + "-1")).as(shell.err()).isZero();
    assertThat(shell.out()).contains("receives and probes from any source");
    for (int seed = 1; seed <= 4; seed++) {
      assertThat(type("replay --jitter " + seed + " " + name + "-1-distilled"))
          .as(shell.err())
          .isZero();
      assertThat(shell.err()).startsWith("reprise: same order: all " + ranks + " ranks");
      assertThat(shell.out()).isEqualTo(printed);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"ranks/src/test/programs/Probing", "examples/java/TravellingSalesman"})
  void aDistilledRunDistilsToItself(String program) {
    type("record -n 4 --name run " + ROOT.resolve(program + ".java"));
    assertThat(type("distill run --name once")).as(shell.err()).isZero();
    assertThat(type("distill once --name twice")).as(shell.err()).isZero();
    for (int rank = 0; rank < 4; rank++) {
      String file = "rank-" + rank + ".order";
      assertThat(home.resolve("twice").resolve(file))
          .hasSameBinaryContentAs(home.resolve("once").resolve(file));
    }
  }

  /** In each round the first receive has a choice and the second has none. */
  @Test
  void aDistilledOrderIsNeverLongerAndSaysWhatIsCounted() throws IOException {
    Files.writeString(
        home.resolve("Rounds.java"),
        """
        import mpi.*;
        public class Rounds {
          public static void main(String[] args) throws Exception {
            MPI.Init(args);
            int[] none = {};
            for (int round = 0; round < 5; round++) {
              if (MPI.COMM_WORLD.Rank() > 0) {
                MPI.COMM_WORLD.Send(none, 0, 0, MPI.INT, 0, 7);
              } else {
                MPI.COMM_WORLD.Recv(none, 0, 0, MPI.INT, MPI.ANY_SOURCE, 7);
                MPI.COMM_WORLD.Recv(none, 0, 0, MPI.INT, MPI.ANY_SOURCE, 7);
              }
              MPI.COMM_WORLD.Barrier();
            }
            MPI.Finalize();
          }
        }
        """);
    for (int seed = 1; seed <= 4; seed++) {
      String name = "rounds" + seed;
      type("record -n 3 --seed " + seed + " --name " + name + " " + home.resolve("Rounds.java"));
      assertThat(type("distill " + name)).as(shell.err()).isZero();
      RunDirectory recorded = shell.store().find(java.util.Optional.of(name));
      RunDirectory distilled = shell.store().find(java.util.Optional.of(name + "-distilled"));
      Rank zero = new Rank(0);
      assertThat(distilled.header(zero).committed())
          .isLessThanOrEqualTo(recorded.header(zero).committed());
      long outcomes = distilled.header(zero).outcomes();
      String told = outcomes == 10 ? "" : "its replay tells of " + outcomes + " outcomes\n";
      assertThat(shell.out())
          .contains("control set 5 of 10 receives and probes from any source", "  5 kept besides")
          .endsWith(told);
      type("replay --jitter 3 " + name + "-distilled");
      assertThat(shell.err()).contains("same order", ", " + outcomes + " outcomes");
    }
  }

  @Test
  void aSendThatTheJobEndedUnderIsAnEvent() throws IOException {
    Files.writeString(
        home.resolve("Left.java"),
        """
        import mpi.*;
        public class Left {
          public static void main(String[] args) throws Exception {
            MPI.Init(args);
            int[] none = {};
            if (MPI.COMM_WORLD.Rank() == 0) {
              MPI.COMM_WORLD.Recv(none, 0, 0, MPI.INT, MPI.ANY_SOURCE, 7);
            } else {
              MPI.COMM_WORLD.Ssend(none, 0, 0, MPI.INT, 0, 7);
            }
            MPI.Finalize();
          }
        }
        """);
    assertThat(type("record --events -n 3 --seed 1 " + home.resolve("Left.java"))).isEqualTo(68);
    assertThat(type("races")).isEqualTo(66);
    assertThat(shell.out())
        .contains("It could have taken a message from rank", "Nobody received one of the other")
        .containsPattern("Note: .* did not come to MPI_Finalize: .* ends after 2 events")
        .doesNotContain("may be missing");
    assertThat(type("distill")).isZero();
    assertThat(shell.out())
        .contains("control set at least 1 of 1 receive or probe from any source");
    type("show");
    assertThat(shell.out()).contains(", events, ");
  }

  @Test
  void theDifferenceOfTwoRunsBeganAtALineAndTheRestFollows() throws IOException {
    Files.writeString(
        home.resolve("Told.java"),
        """
        import mpi.*;
        public class Told {
          public static void main(String[] args) throws Exception {
            MPI.Init(args);
            int[] none = {};
            int rank = MPI.COMM_WORLD.Rank();
            if (rank == 0) {
              int first = MPI.COMM_WORLD.Recv(none, 0, 0, MPI.INT, MPI.ANY_SOURCE, 7).source;
              MPI.COMM_WORLD.Recv(none, 0, 0, MPI.INT, MPI.ANY_SOURCE, 7);
              MPI.COMM_WORLD.Send(none, 0, 0, MPI.INT, 3, first);
            } else if (rank == 3) {
              System.out.println(MPI.COMM_WORLD.Recv(none, 0, 0, MPI.INT, 0, MPI.ANY_TAG).tag);
            } else {
              MPI.COMM_WORLD.Send(none, 0, 0, MPI.INT, 0, 7);
            }
            MPI.Finalize();
          }
        }
        """);
    type("enumerate -n 4 " + home.resolve("Told.java"));
    assertThat(type("diff --events Told-outcome-1 Told-outcome-2")).isEqualTo(1);
    assertThat(shell.out())
        .endsWith(
            """
            it began on rank 0
              Told-outcome-1: event 1, MPI_Recv from 1, tag 7, at Told.main Told.java:8
              Told-outcome-2: event 1, MPI_Recv from 2, tag 7, at Told.main Told.java:8
            what differs on rank 3 follows from that
              Told-outcome-1: event 1, MPI_Recv from 0, tag 1, at Told.main Told.java:12
              Told-outcome-2: event 1, MPI_Recv from 0, tag 2, at Told.main Told.java:12
            """);
  }
}
