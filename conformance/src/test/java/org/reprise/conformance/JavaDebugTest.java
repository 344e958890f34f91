package org.reprise.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.reprise.trace.run.RecordedRun;

/** A Java program of Reprise's own engine under the debugger: its ranks are threads of a JVM. */
class JavaDebugTest {
  private static final int RANKS = 4;
  private static final int PLACES = 3;

  @RegisterExtension private final Workbench bench = new Workbench();

  private final long seed = Long.getLong("reprise.seed", System.nanoTime() % 100_000);
  private final Random random = new Random(seed);

  private RecordedRun record() throws IOException {
    return record(
        RANKS,
        Files.readString(Workshop.root().resolve("conformance/src/test/programs/Debugged.java")));
  }

  private RecordedRun record(int ranks, String source) throws IOException {
    System.out.println("JavaDebugTest: places drawn with -Dreprise.seed=" + seed);
    String name = source.replaceAll("(?s).*?class (\\w+).*", "$1") + ".java";
    Files.writeString(bench.directory().resolve(name), source);
    bench.reprise("record", "-n", String.valueOf(ranks), name);
    return bench.latest();
  }

  private List<Map<?, ?>> debugged(List<String> commands) {
    List<String> words = new ArrayList<>(List.of("debug", "--batch", "--format", "json"));
    commands.forEach(command -> words.addAll(List.of("-e", command)));
    Ran ran = bench.reprise(words.toArray(String[]::new));
    List<Map<?, ?>> answers = ran.out().lines().<Map<?, ?>>map(DebugTest::json).toList();
    assertThat(answers).as("seed %s: %s", seed, ran).hasSize(commands.size());
    return answers;
  }

  /** Three places at random, and what every rank has there: data, and a field of an object. */
  @Test
  void ranksThatAreStoppedAnywhereHaveTheStateOfTheRun() throws Exception {
    record();
    List<List<String>> histories = new ArrayList<>();
    for (int rank = 0; rank < RANKS; rank++) {
      histories.add(Files.readAllLines(bench.directory().resolve("history-" + rank)));
    }
    List<String> commands = new ArrayList<>();
    for (int place = 0; place < PLACES; place++) {
      boolean latest = random.nextBoolean();
      int event = 1 + random.nextInt(12 * 9);
      commands.add("goto " + random.nextInt(RANKS) + ":" + event + (latest ? " --latest" : ""));
      commands.addAll(List.of("cut", "print Debugged.calls", "print Debugged.hash"));
    }
    commands.add("run");
    List<Map<?, ?>> answers = debugged(commands);
    for (int place = 0; place < PLACES; place++) {
      Map<?, ?> moved = answers.get(4 * place);
      assertThat(moved.get("arrival")).as("seed %s: %s", seed, moved).isEqualTo("reached");
      assertThat(answers.get(4 * place + 1).get("consistent")).as("%s", moved).isEqualTo(true);
      SortedMap<Integer, String> calls = DebugTest.byRank(answers.get(4 * place + 2));
      SortedMap<Integer, String> hashes = DebugTest.byRank(answers.get(4 * place + 3));
      SortedMap<Integer, String> then = new TreeMap<>();
      calls.forEach(
          (rank, made) -> then.put(rank, histories.get(rank).get(Integer.parseInt(made))));
      assertThat(hashes).as("seed %s: %s", seed, moved).hasSize(RANKS).isEqualTo(then);
    }
    assertThat(answers.getLast().get("exitStatus")).as("%s", answers).isEqualTo(0L);
    assertThat(String.valueOf(answers.getLast().get("lines"))).contains("same order");
  }

  /** Breakpoints with conditions, steps, one line back, what changed a value, a branch. */
  @Test
  void linesAreSteppedAndGoneBackAndMomentsFoundAgain() throws Exception {
    record();
    List<Map<?, ?>> answers =
        debugged(
            List.of(
                "break Debugged.note on 1 if calls == 7",
                "run",
                "ranks 1",
                "print calls",
                "finish",
                "next",
                "stack", // 6
                "next",
                "back line",
                "stack", // 9
                "goto 1:23",
                "watch calls", // 11
                "print calls",
                "save session",
                "cut", // 14
                "goto start",
                "load session",
                "cut", // 17
                "set var calls = 100",
                "next",
                "print calls + 0.5", // 20
                "print calls()",
                "break Debugged.java:" + lineOfInit() + " on 1",
                "run",
                "next",
                "cut", // 25
                "goto 1:3",
                "goto 1:0 then break Debugged.java:" + lineOfInit() + "; next",
                "cut")); // 28
    assertThat(String.valueOf(answers.get(1).get("lines"))).contains("rank 1 met breakpoint 1");
    assertThat(DebugTest.byRank(answers.get(3))).containsEntry(1, "7");
    assertThat(answers.get(9).get("groups"))
        .as("%s", answers)
        .isEqualTo(answers.get(6).get("groups"));
    assertThat(answers.get(11).get("before")).as("%s", answers).isEqualTo("7");
    assertThat(answers.get(11).get("after")).as("%s", answers).isEqualTo("8");
    assertThat(String.valueOf(answers.get(11).get("place")))
        .startsWith("Debugged.note Debugged.java:");
    assertThat(DebugTest.byRank(answers.get(12))).containsEntry(1, "8");
    assertThat(answers.get(17).get("lines"))
        .as("%s", answers)
        .isEqualTo(answers.get(14).get("lines"));
    assertThat(DebugTest.byRank(answers.get(20))).containsEntry(1, "100.5");
    assertThat(DebugTest.byRank(answers.get(21)).get(1)).contains("is not called");
    assertThat(String.valueOf(answers.get(25).get("lines")))
        .as("%s", answers)
        .contains("goto 1:0 then break Debugged.java:" + lineOfInit() + "; next");
    assertThat(String.valueOf(answers.get(28).get("lines")))
        .contains("goto 1:0 then break Debugged.java:" + lineOfInit() + "; next");
  }

  private static long lineOfInit() throws IOException {
    return 1
        + Files.readString(Workshop.root().resolve("conformance/src/test/programs/Debugged.java"))
            .lines()
            .takeWhile(line -> !line.contains("MPI.Init("))
            .count();
  }

  /** An exception that ends a rank is met where it is thrown, and data are there. */
  @Test
  void ranksThatFailedOrWaitForEachOtherStandWhereTheyAre() throws Exception {
    record(
        2,
        """
        import mpi.*;
        public class Fails {
          public static void main(String[] args) throws Exception {
            MPI.Init(args);
            int[] box = {MPI.COMM_WORLD.Rank()};
            MPI.COMM_WORLD.Barrier();
            if (box[0] == 1) {
              try { Integer.parseInt("x"); } catch (NumberFormatException e) { box[0] = 0; }
              box[0] = 7 / box[0];
            }
            MPI.COMM_WORLD.Recv(box, 0, 1, MPI.INT, 1, 0);
            MPI.Finalize();
          }
        }
        """);
    List<Map<?, ?>> failed = debugged(List.of("run", "ranks 1", "print box"));
    assertThat(String.valueOf(failed.get(0).get("lines")))
        .contains("rank 1 met java.lang.ArithmeticException: / by zero", "Fails.java:9");
    assertThat(DebugTest.byRank(failed.get(2))).containsEntry(1, "{0}");

    record(
        2,
        """
        import mpi.*;
        public class Waits {
          public static void main(String[] args) throws Exception {
            MPI.Init(args);
            int[] box = {MPI.COMM_WORLD.Rank()};
            MPI.COMM_WORLD.Recv(box, 0, 1, MPI.INT, 1 - box[0], 0);
            MPI.Finalize();
          }
        }
        """);
    List<Map<?, ?>> waits = debugged(List.of("run", "stack", "print box"));
    assertThat(String.valueOf(waits.get(0).get("lines")))
        .contains("ranks 0,1: inside MPI_Recv, which did not return");
    assertThat(String.valueOf(waits.get(1).get("lines"))).contains("Waits.main Waits.java:6");
    assertThat(DebugTest.byRank(waits.get(2))).containsEntry(0, "{0}").containsEntry(1, "{1}");
  }

  @Test
  void nothingIsLeftOfADebuggerThatIsKilled() throws Exception {
    RecordedRun run = record();
    List<String> words = new ArrayList<>(List.of("debug", "--batch"));
    for (int i = 0; i < 100; i++) {
      String place = random.nextInt(RANKS) + ":" + (1 + random.nextInt(100));
      words.addAll(List.of("-e", "goto " + place, "-e", "print Debugged.hash"));
    }
    // The debugger itself, and the JVM of the ranks.
    DebugTest.requireNothingLeft(bench, run, words, 2, random.nextInt(2000));
  }
}
