package org.reprise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Java programs on Reprise's own engine, from the command line to the report. */
class JavaProgramsTest {
  private static final Path EXAMPLES = Path.of(System.getProperty("reprise.root"), "examples/java");

  @TempDir Path home;
  private Shell shell;

  @org.junit.jupiter.api.BeforeEach
  void open() {
    shell = new Shell(home);
  }

  private static String example(String name) {
    return EXAMPLES.resolve(name + ".java").toString();
  }

  /** Writes a program whose main does this in every rank, after MPI.Init. */
  private String program(String name, String body) throws IOException {
    String source =
        """
        import mpi.*;
        public class %s {
          public static void main(String[] args) throws Exception {
            MPI.Init(args);
            int rank = MPI.COMM_WORLD.Rank();
            %s
            MPI.Finalize();
          }
        }
        """;
    return Files.writeString(home.resolve(name + ".java"), source.formatted(name, body)).toString();
  }

  private int type(String line) {
    return shell.type(line.split(" "));
  }

  @ParameterizedTest
  @CsvSource({
    "Hello, 4, hello from rank 3 of 4",
    "Ring, 4, the token comes back with 6",
    "ReceiveRace, 4, answer = ",
    "LostUpdate, 3, balance = 1",
    "TravellingSalesman, 4, shortest tour: 285",
    "Jacobi, 3, iterations, error below 0.01",
    "Poisson, 3, error below the square of the spacing",
    "Fft, 4, '64 numbers, error below 1e-9'",
    "Gauss, 3, '12 equations, residual below 1e-9'"
  })
  void everyExampleIsRecordedAndReplayed(String name, int ranks, String fact) {
    assertThat(type("record -n " + ranks + " " + example(name))).as(shell.err()).isZero();
    String recorded = sorted(shell.out());
    assertThat(recorded).contains(fact);
    assertThat(shell.err())
        .startsWith("reprise: recorded HOME/" + name + "-1: " + ranks + " ranks");
    assertThat(type("replay")).as(shell.err()).isZero();
    assertThat(sorted(shell.out())).isEqualTo(recorded);
    assertThat(shell.err()).startsWith("reprise: same order: all " + ranks + " ranks");
  }

  /** Which rank prints first is time, not order of messages. */
  private static String sorted(String text) {
    return String.join("\n", text.lines().sorted().toList());
  }

  @Test
  void theSameSeedIsTheSameRunAndAnotherOneMayBeAnother() {
    Set<String> answers = new HashSet<>();
    for (int seed = 1; seed <= 12; seed++) {
      String run = "run -n 4 --seed " + seed + " " + example("ReceiveRace");
      assertThat(type(run)).isZero();
      String answer = shell.out();
      type(run);
      assertThat(shell.out()).as("seed %d", seed).isEqualTo(answer);
      answers.add(answer);
    }
    assertThat(answers).hasSizeGreaterThan(1);
    assertThat(shell.store().list()).as("nothing is kept of a plain run").isEmpty();
  }

  @Test
  void aReplayInWhichARankOnlyPollsInVainIsStuck() throws IOException {
    Path changed = home.resolve("changed");
    String program =
        program(
            "Patient",
            """
            if (rank == 1) {
              MPI.COMM_WORLD.Send(new int[1], 0, 1, MPI.INT, 0, 0);
            } else {
              while (java.nio.file.Files.exists(java.nio.file.Path.of("%s"))) {
                MPI.COMM_WORLD.Iprobe(1, 0);
              }
              MPI.COMM_WORLD.Recv(new int[1], 0, 1, MPI.INT, 1, 0);
            }
            """
                .formatted(changed));
    assertThat(type("record -n 2 " + program)).as(shell.err()).isZero();
    Files.createFile(changed);
    assertThat(type("replay --stall-limit 1")).as(shell.err()).isEqualTo(67);
    assertThat(shell.err()).contains("stuck").contains("rank 0");
  }

  @Test
  void aSeededRunReplaysToItself() {
    type("record -n 4 --seed 5 " + example("ReceiveRace"));
    String answer = shell.out();
    assertThat(type("replay")).isZero();
    assertThat(shell.out()).isEqualTo(answer);
    type("show");
    assertThat(shell.out())
        .contains("reprise record -n 4 --seed 5 ", "Reprise's own engine", "MPI_Recv");
    type("ls");
    assertThat(shell.out()).contains("ReceiveRace-1", "exit 0");
  }

  @Test
  void anEnumerationCountsWhatCanBeCountedByHand() {
    // Three messages from three senders: 3! orders, and each digit shows.
    assertThat(type("enumerate -n 4 " + example("ReceiveRace") + " --format json")).isEqualTo(1);
    assertThat(shell.out())
        .contains("\"executions\" : 6,", "\"classes\" : 6,", "\"complete\" : true");
    assertThat(shell.out().split("\"kind\" : \"output\"", -1)).hasSize(7);
    // Nobody takes a message of any source.
    assertThat(type("enumerate -n 4 " + example("Ring"))).isZero();
    assertThat(shell.out()).startsWith("1 execution, 1 outcome");
    assertThat(type("enumerate -n 2 " + example("Gauss") + " 3")).isZero();
    assertThat(shell.out()).startsWith("1 execution, 1 outcome");
    // Seven requests, four of one clerk and three of the other: 7! / (4! 3!).
    assertThat(type("enumerate -n 3 " + example("LostUpdate"))).isEqualTo(1);
    assertThat(shell.out())
        .startsWith("35 executions, 2 outcomes")
        .contains("32 executions: output, reprise replay LostUpdate-outcome-1\n  [0] balance = 15")
        .contains("3 executions: output, reprise replay LostUpdate-outcome-2\n  [0] balance = 10");
    assertThat(type("replay LostUpdate-outcome-2")).isZero();
    assertThat(shell.out()).isEqualTo("balance = 10\n");
    assertThat(type("diff LostUpdate-outcome-1 LostUpdate-outcome-2")).isEqualTo(1);
  }

  /** Who asks what an exploration has found need not say which run that was. */
  @Test
  void theFailingRunOfAnExplorationIsTheLatestOne() {
    assertThat(type("explore -n 3 " + example("OrderDeadlock"))).isEqualTo(66);
    String failing = shell.out().replaceFirst("(?s).*deadlocked, reprise replay (\\S+).*", "$1");
    assertThat(type("replay")).isEqualTo(68);
    assertThat(type("show")).isZero();
    assertThat(shell.out()).contains(failing);
  }

  /** Each exploration keeps runs of other names; those who compare test cases must not see that. */
  @Test
  void testCasesOfAnExplorationAreCalledTheSameEachTime() {
    String explore = "explore --format junit -n 3 " + example("OrderDeadlock");
    assertThat(type(explore)).isEqualTo(66);
    List<String> first = shell.out().lines().filter(line -> line.contains("name=")).toList();
    assertThat(first.getFirst()).contains("\"reprise explore -n 3 ");
    assertThat(first.subList(1, first.size()))
        .containsExactly(
            "  <testcase classname=\"reprise.explore\" name=\"deadlocked: deadlock: no rank can go on\">",
            "  <testcase classname=\"reprise.explore\" name=\"passed: reports of 1 and 2\">");
    assertThat(type(explore)).isEqualTo(66);
    assertThat(shell.out().lines().filter(line -> line.contains("<testcase")).toList())
        .isEqualTo(first.subList(1, first.size()));
  }

  @Test
  void everyEnumerationCountsItsOutcomesFromOne() {
    for (String first :
        List.of("ReceiveRace-outcome-1", "ReceiveRace-e2-outcome-1", "ReceiveRace-e3-outcome-1")) {
      type("enumerate -n 3 " + example("ReceiveRace"));
      assertThat(shell.out()).contains("reprise replay " + first + "\n");
    }
    type("enumerate -n 3 --name mine " + example("ReceiveRace"));
    assertThat(shell.out()).contains("reprise replay mine-1\n", "reprise replay mine-2\n");
    assertThat(type("enumerate -n 3 --name mine " + example("ReceiveRace"))).isEqualTo(1);
    assertThat(shell.err()).contains("there is a run of this name already");
    type("show mine-1");
    assertThat(shell.out()).contains("  command    reprise enumerate -n 3 ");
    assertThat(type("replay mine-1")).isZero();
  }

  @Test
  void aMessageNobodyReceivesIsWarnedOfWheneverItComes() throws IOException {
    // Rank 0 finishes before its message is sent: rank 1 waits for rank 2, which rank 0 does not.
    String late =
        program(
            "Late",
            "int[] x = new int[1];"
                + " if (rank == 2) MPI.COMM_WORLD.Send(x, 0, 1, MPI.INT, 1, 1);"
                + " if (rank == 1) { MPI.COMM_WORLD.Recv(x, 0, 1, MPI.INT, 2, 1); Thread.sleep(50);"
                + " MPI.COMM_WORLD.Send(x, 0, 1, MPI.INT, 0, 7); }");
    String warning =
        "rank 0, Late.java:7: Finalize: messages were sent to this rank and never received: 1";
    for (String how : List.of("run -n 3 ", "run -n 3 --seed 1 ", "record -n 3 ")) {
      assertThat(type(how + late)).as(how).isZero();
      assertThat(shell.err()).as(how).startsWith("reprise: " + warning + "\n");
    }
    assertThat(type("replay")).isZero();
    assertThat(shell.err()).startsWith("reprise: " + warning + "\n");
    assertThat(type("enumerate -n 3 " + late)).isZero();
    assertThat(shell.out()).startsWith("1 execution, 1 outcome").contains("  warning: " + warning);
    type("enumerate -n 3 --format json " + late);
    assertThat(shell.out()).contains("\"warnings\" : [ \"" + warning + "\" ]");
  }

  @Test
  void aDeadlockIsFoundWhereItIsAndReplaysToItself() {
    assertThat(type("enumerate -n 3 " + example("OrderDeadlock"))).isEqualTo(1);
    assertThat(shell.out())
        .startsWith("2 executions, 2 outcomes")
        .contains("1 execution: deadlock, exit status 68, reprise replay OrderDeadlock-outcome-")
        .contains(
            "  deadlock: no rank can go on\n"
                + "    rank 0 waits in MPI_Recv (OrderDeadlock.java:22) for a message from rank 2");
    String kept =
        shell
            .out()
            .lines()
            .filter(line -> line.contains("deadlock, exit"))
            .findFirst()
            .orElseThrow();
    assertThat(type(kept.substring(kept.indexOf("replay")))).isEqualTo(68);
    assertThat(shell.err()).contains("deadlock: no rank can go on", "same order");
  }

  @Test
  void anEnumerationThatIsCutOffSaysSo() throws IOException {
    assertThat(type("enumerate -n 4 --max 2 --keep 1 " + example("ReceiveRace"))).isEqualTo(1);
    assertThat(shell.out())
        .startsWith(
            "2 executions, 2 outcomes so far: stopped by --max, --time or --stop-at-first, there may be more")
        .contains("not kept (--keep says how many are)");
    assertThat(shell.store().list()).hasSize(1);
    String silent =
        program(
            "Silent",
            "int[] x = new int[1]; if (rank > 0) MPI.COMM_WORLD.Send(x, 0, 1, MPI.INT, 0, 1);"
                + " else for (int i = 0; i < 2; i++)"
                + " MPI.COMM_WORLD.Recv(x, 0, 1, MPI.INT, MPI.ANY_SOURCE, 1);");
    assertThat(type("enumerate -n 3 --max 1 " + silent)).isEqualTo(3);
    assertThat(type("enumerate -n 3 --max 2 " + silent)).as("there are no more").isZero();
  }

  @Test
  void standardSendsMayBeMadeToWait() throws IOException {
    String both =
        program(
            "Both",
            "int[] x = new int[1]; MPI.COMM_WORLD.Send(x, 0, 1, MPI.INT, 1 - rank, 1);"
                + " MPI.COMM_WORLD.Recv(x, 0, 1, MPI.INT, 1 - rank, 1);");
    assertThat(type("run -n 2 " + both)).isZero();
    assertThat(type("run -n 2 --sync-sends " + both)).isEqualTo(68);
    assertThat(shell.err()).contains("MPI_Send (Both.java:6)", "in a circle: rank 0 -> rank 1");
    assertThat(type("enumerate -n 2 --sync-sends " + both)).isEqualTo(1);
    assertThat(type("record -n 2 --sync-sends " + both)).isEqualTo(68);
    assertThat(type("replay")).isEqualTo(68);
  }

  @Test
  void whatClocksAndDiceGaveIsGivenAgain() throws IOException {
    String inputs =
        program(
            "Inputs",
            "if (rank == 1) System.out.println(System.nanoTime() + \" \" + Math.random() + \" \""
                + " + new java.util.Random().nextLong() + \" \" + java.util.UUID.randomUUID()"
                + " + \" \" + java.time.Instant.now() + \" \" + MPI.Wtime());");
    type("record -n 2 " + inputs);
    String first = shell.out();
    assertThat(type("replay")).as(shell.err()).isZero();
    assertThat(shell.out()).isEqualTo(first);
    assertThat(shell.err()).doesNotContain("not recorded");
    type("show --inputs --rank 1");
    assertThat(shell.out()).contains("clock monotonic", "random bytes", "clock realtime");
    type("record -n 2 " + inputs);
    assertThat(shell.out()).as("another run").isNotEqualTo(first);
    type("run -n 2 --seed 3 " + inputs);
    String seeded = shell.out();
    type("run -n 2 --seed 3 " + inputs);
    assertThat(shell.out()).isEqualTo(seeded);
    type("run -n 2 --seed 4 " + inputs);
    assertThat(shell.out()).isNotEqualTo(seeded);
  }

  @Test
  void anUncaughtExceptionEndsTheRunWithItsStack() throws IOException {
    String thrower =
        program(
            "Thrower",
            "if (rank == 1) throw new IllegalStateException(\"no more\");"
                + " MPI.COMM_WORLD.Barrier();");
    for (String how : List.of("run -n 3 ", "run -n 3 --seed 1 ", "record -n 3 ")) {
      assertThat(type(how + thrower)).as(how).isEqualTo(1);
      assertThat(shell.err())
          .startsWith(
              "reprise: rank 1 ended the run by an exception\n"
                  + "  java.lang.IllegalStateException: no more\n"
                  + "  \tat Thrower.main(Thrower.java:6)\n")
          .doesNotContain("org.reprise");
    }
    assertThat(shell.err()).as("ranks that were just beginning, too").contains("-1: 3 ranks, ");
    assertThat(type("replay")).isEqualTo(1);
    assertThat(shell.err()).contains("no more", "same order");
    assertThat(type("enumerate -n 3 " + thrower)).isEqualTo(1);
    assertThat(shell.out()).contains("1 execution: exception, exit status 1", "no more");
  }

  @Test
  void exitAndAbortGiveTheirStatus() throws IOException {
    String exit = program("Exit", "if (rank == 1) System.exit(7);");
    assertThat(type("run -n 2 " + exit)).isEqualTo(7);
    String abort =
        program("Abort", "if (rank == 1) MPI.COMM_WORLD.Abort(9); MPI.COMM_WORLD.Barrier();");
    assertThat(type("record -n 2 " + abort)).isEqualTo(9);
    assertThat(type("replay")).isEqualTo(9);
  }

  @Test
  void aProgramThatWasChangedIsToldAsSuch() throws IOException {
    String body =
        "int[] x = new int[%d]; if (rank > 0) MPI.COMM_WORLD.Send(x, 0, x.length,"
            + " MPI.INT, 0, 1); else MPI.COMM_WORLD.Recv(x, 0, x.length, MPI.INT, MPI.ANY_SOURCE, 1);";
    String program = program("Changed", body.formatted(1));
    type("record -n 2 " + program);
    program("Changed", body.formatted(2));
    assertThat(type("replay")).isEqualTo(67);
    assertThat(shell.err())
        .contains("the program has changed since it was recorded", "diverged: rank 0");
    program("Changed", "int broken = \"\";");
    assertThat(type("replay")).isEqualTo(2);
    assertThat(shell.err()).contains("Changed.java does not compile", "1 error");
    program("Changed", body.formatted(1));
    assertThat(type("replay")).isZero();
    assertThat(type("replay -- " + example("Ring"))).isEqualTo(67);
    assertThat(shell.err()).contains("another command than the recorded one");
  }

  @Test
  void linesBeginWithTheirRankOnATerminal() {
    shell.onTerminal(80, false);
    type("run -n 2 --seed 1 " + example("Hello"));
    assertThat(shell.out().lines()).contains("[1] hello from rank 1 of 2, which said it 1 time");
    type("run -n 2 --seed 1 --no-prefix " + example("Hello"));
    assertThat(shell.out().lines()).contains("hello from rank 1 of 2, which said it 1 time");
  }

  @Test
  void eachRankCanHaveItsOutputInAFile() throws IOException {
    type("record -n 2 " + example("Hello"));
    assertThat(type("replay --rank-output " + home.resolve("out"))).isZero();
    assertThat(home.resolve("out/rank-1.out"))
        .hasContent("hello from rank 1 of 2, which said it 1 time");
    assertThat(shell.out()).isEmpty();
  }

  @Test
  void aJarAndAClassPathDoAsWell() throws Exception {
    Path classes = Files.createDirectory(home.resolve("classes"));
    Path own = Path.of(mpi.MPI.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    javax.tools.ToolProvider.getSystemJavaCompiler()
        .run(null, null, null, "-cp", own + "", "-d", classes + "", example("Ring"));
    assertThat(type("record -n 4 -cp " + classes + " Ring")).isZero();
    assertThat(shell.out()).isEqualTo("the token comes back with 6\n");
    assertThat(type("replay")).isZero();
  }

  @Test
  void whatIsAmbiguousOrSenselessIsRefused() {
    for (String line :
        Stream.of(
                "record " + example("Ring"),
                "record -n 0 " + example("Ring"),
                "record -n 4 mpirun ./program",
                "record -n 4 ./program",
                "record -n 4 -cp " + home,
                "record -n 4 -cp " + home + " Nothing",
                "record -n 4 nowhere.java",
                "record --seed 3 mpirun ./program",
                "record --mpicc mpicc -n 2 " + example("Ring"),
                "record --jitter 1 --seed 1 -n 2 " + example("Ring"),
                "enumerate " + example("Ring"),
                "enumerate -n 3",
                "enumerate -n 3 --max 0 " + example("Ring"),
                "enumerate -n 3 mpirun ./program")
            .toList()) {
      assertThat(type(line)).as(line).isEqualTo(2);
      assertThat(shell.err()).as(line).startsWith("reprise: ").contains("  fix: ");
    }
    assertThat(shell.store().list()).isEmpty();
  }

  @Test
  void mainGetsTheArgumentsOfMpjExpressIfAsked() throws IOException {
    Files.writeString(
        home.resolve("Told.java"),
        """
        import mpi.*;
        public class Told {
          public static void main(String[] args) throws Exception {
            String got = String.join(" ", args);
            String[] own = MPI.Init(args);
            if (MPI.COMM_WORLD.Rank() == 1) {
              System.out.println(got + " | " + String.join(" ", own));
            }
            MPI.Finalize();
          }
        }
        """);
    String program = home.resolve("Told.java").toString();
    assertThat(type("record -n 2 --mpj-arguments " + program + " a b")).as(shell.err()).isZero();
    assertThat(shell.out()).isEqualTo("1 2 smpdev a b | a b\n");
    assertThat(type("replay")).as(shell.err()).isZero();
    assertThat(shell.out()).isEqualTo("1 2 smpdev a b | a b\n");
    assertThat(type("run -n 2 " + program + " a b")).as(shell.err()).isZero();
    assertThat(shell.out()).isEqualTo("a b | a b\n");
  }

  @Test
  void nonBlockingCollectiveCallsAreEvents() {
    String program = EXAMPLES.resolve("openmpi/Overlap.java").toString();
    assertThat(type("record -n 2 --events " + program)).as(shell.err()).isZero();
    assertThat(type("events")).as(shell.err()).isZero();
    assertThat(shell.out()).contains("Ibcast", "Iallreduce", "Ialltoall", "Ibarrier");
    assertThat(type("graph --format json")).as(shell.err()).isZero();
  }
}
