package org.reprise.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.reprise.trace.Rank;
import org.reprise.trace.events.EventReader;
import org.reprise.trace.run.RecordedRun;
import org.reprise.trace.text.JsonTree;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** A run under the debugger: wherever its ranks are stopped, they are as they were. */
class DebugTest {
  private static final int RANKS = 4;
  private static final int PLACES = 3;
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  @RegisterExtension private final Workbench bench = new Workbench();

  private final long seed = Long.getLong("reprise.seed", System.nanoTime() % 100_000);
  private final Random random = new Random(seed);

  private RecordedRun record(Mpi mpi) {
    System.out.println("DebugTest: places drawn with -Dreprise.seed=" + seed);
    Path program = bench.compiled(mpi, "debugged");
    Ran recording = bench.record(mpi.job(RANKS, program, bench.directory()));
    assertThat(recording.status()).as("%s", recording).isZero();
    Ran learning = bench.reprise("events", "--count", "0");
    assertThat(learning.status()).as("%s", learning).isZero();
    return bench.latest();
  }

  private List<String> gotos(RecordedRun run, int places) {
    List<String> commands = new ArrayList<>();
    for (int i = 0; i < places; i++) {
      int rank = random.nextInt(RANKS);
      int event = 1 + random.nextInt(events(run, rank) - 1);
      commands.add("goto %d:%d%s".formatted(rank, event, random.nextBoolean() ? " --latest" : ""));
    }
    return commands;
  }

  private static int events(RecordedRun run, int rank) {
    try (EventReader events = run.directory().openEvents(new Rank(rank))) {
      int count = 0;
      while (events.advance()) {
        count++;
      }
      return count;
    }
  }

  @ParameterizedTest(name = "{0}")
  @DrawnMpi
  void ranksThatAreStoppedAnywhereHaveTheStateOfTheRun(Mpi mpi) throws Exception {
    RecordedRun run = record(mpi);
    List<List<String>> histories = new ArrayList<>();
    for (int rank = 0; rank < RANKS; rank++) {
      histories.add(Files.readAllLines(bench.directory().resolve("history-" + rank)));
    }
    List<String> words = new ArrayList<>(List.of("debug", "--batch", "--format", "json"));
    for (String command : gotos(run, PLACES)) {
      for (String each : List.of(command, "cut", "print calls", "print hash")) {
        words.addAll(List.of("-e", each));
      }
    }
    words.addAll(List.of("-e", "run"));
    Ran debugged = bench.reprise(words.toArray(String[]::new));
    assertThat(debugged.status()).as("seed %s: %s", seed, debugged).isZero();
    List<Map<?, ?>> answers = debugged.out().lines().<Map<?, ?>>map(DebugTest::json).toList();
    assertThat(answers).as("%s", debugged).hasSize(4 * PLACES + 1);
    for (int place = 0; place < PLACES; place++) {
      Map<?, ?> moved = answers.get(4 * place);
      assertThat(moved.get("arrival")).as("seed %s: %s", seed, moved).isEqualTo("reached");
      assertThat(answers.get(4 * place + 1).get("consistent")).as("%s", moved).isEqualTo(true);
      SortedMap<Integer, String> calls = byRank(answers.get(4 * place + 2));
      SortedMap<Integer, String> hashes = byRank(answers.get(4 * place + 3));
      SortedMap<Integer, String> then = new TreeMap<>();
      calls.forEach(
          (rank, made) -> then.put(rank, histories.get(rank).get(Integer.parseInt(made))));
      assertThat(hashes).as("seed %s: %s", seed, moved).hasSize(RANKS).isEqualTo(then);
    }
    assertThat(answers.getLast().get("exitStatus")).as("%s", debugged).isEqualTo(0L);
    assertThat(String.valueOf(answers.getLast().get("lines"))).contains("same order");
  }

  /** One rank and two, without the others: the data are those of the run, and so is the end. */
  @ParameterizedTest(name = "{0}")
  @DrawnMpi
  void ranksThatAreReplayedAloneHaveTheStateOfTheRun(Mpi mpi) throws Exception {
    RecordedRun run = record(mpi);
    int first = random.nextInt(RANKS);
    int second = (first + 1) % RANKS;
    for (String only : List.of("" + first, first + "," + second)) {
      int event = 1 + random.nextInt(events(run, first) - 1);
      List<Map<?, ?>> answers =
          debugged(
              List.of("--only", only),
              "goto " + first + ":" + event,
              "print calls",
              "print hash",
              "ranks " + (first + 2) % RANKS,
              "goto " + (first + 2) % RANKS + ":3",
              "goto " + first + ":0 then break main",
              "run");
      assertThat(answers.getFirst().get("arrival"))
          .as("seed %s: %s", seed, answers)
          .isEqualTo("reached");
      SortedMap<Integer, String> calls = byRank(answers.get(1));
      SortedMap<Integer, String> hashes = byRank(answers.get(2));
      assertThat(calls).as("seed %s: %s", seed, answers).hasSize(only.split(",").length);
      for (int rank : calls.keySet()) {
        assertThat(hashes.get(rank))
            .as("seed %s: %s", seed, answers)
            .isEqualTo(
                Files.readAllLines(bench.directory().resolve("history-" + rank))
                    .get(Integer.parseInt(calls.get(rank))));
      }
      assertThat(String.valueOf(answers.get(3).get("error"))).contains("is not there");
      assertThat(String.valueOf(answers.get(4).get("error"))).contains("is not there");
      assertThat(String.valueOf(answers.get(5).get("error"))).contains("begin behind MPI_Init");
      assertThat(answers.getLast().get("exitStatus")).as("%s", answers).isEqualTo(0L);
    }
  }

  /** Rank 2 has sent 64 KB and stands before it waits for them: its library must deliver them. */
  @ParameterizedTest(name = "{0}")
  @DrawnMpi
  void placesOfEveryKindAreReached(Mpi mpi) {
    record(mpi);
    List<String> words = new ArrayList<>(List.of("debug", "--batch", "--format", "json"));
    List<String> places =
        List.of("goto 2:7 --latest", "goto message 1:1", "goto 1ms", "goto race 1", "until 0:60");
    for (String place : places) {
      words.addAll(List.of("-e", place, "-e", "cut"));
    }
    words.addAll(List.of("-e", "break 1:30", "-e", "break race 1", "-e", "run", "-e", "continue"));
    Ran debugged = bench.reprise(words.toArray(String[]::new));
    assertThat(debugged.status()).as("%s", debugged).isZero();
    List<Map<?, ?>> answers = debugged.out().lines().<Map<?, ?>>map(DebugTest::json).toList();
    for (int place = 0; place < places.size(); place++) {
      assertThat(answers.get(2 * place).get("arrival")).as("%s", debugged).isEqualTo("reached");
      assertThat(answers.get(2 * place + 1).get("consistent")).as("%s", debugged).isEqualTo(true);
    }
    List<Map<?, ?>> met = answers.subList(answers.size() - 2, answers.size());
    assertThat(met.stream().map(answer -> String.valueOf(answer.get("breakpoint"))))
        .as("%s", debugged)
        .containsExactlyInAnyOrder("1", "2");
  }

  /** From the first call by lines, and back; what changed a value; the same place once more. */
  @ParameterizedTest(name = "{0}")
  @DrawnMpi
  void linesAreGoneBackAndMomentsFoundAgain(Mpi mpi) {
    record(mpi);
    List<String> words = new ArrayList<>(List.of("debug", "--batch", "--format", "json"));
    List<String> commands =
        List.of(
            "ranks 1",
            "goto start",
            "next",
            "next",
            "stack",
            "next",
            "back line",
            "stack",
            "goto 1:2",
            "print calls",
            "watch calls",
            "print calls",
            "save session",
            "cut",
            "goto start",
            "load session",
            "cut");
    commands.forEach(command -> words.addAll(List.of("-e", command)));
    Ran debugged = bench.reprise(words.toArray(String[]::new));
    assertThat(debugged.status()).as("%s", debugged).isZero();
    List<Map<?, ?>> answers = debugged.out().lines().<Map<?, ?>>map(DebugTest::json).toList();
    assertThat(answers.get(7).get("groups"))
        .as("%s", debugged)
        .isEqualTo(answers.get(4).get("groups"));
    assertThat(answers.get(10).get("after")).as("%s", debugged).isEqualTo("1");
    assertThat(String.valueOf(answers.get(10).get("place"))).startsWith("note debugged.c:");
    assertThat(answers.get(16).get("lines"))
        .as("%s", debugged)
        .isEqualTo(answers.get(13).get("lines"));
  }

  /** Before MPI_Init, and behind it; found again each time by what cut prints and save writes. */
  @ParameterizedTest(name = "{0}")
  @DrawnMpi
  void linesBeforeTheFirstCallAreMet(Mpi mpi) throws Exception {
    record(mpi);
    int init = line("MPI_Init(", 1);
    int first = line("history[0] = hash;", 1);
    List<Map<?, ?>> answers =
        debugged(
            "ranks 1",
            "break main on 1",
            "run",
            "stack",
            "cut", // 4
            "next",
            "save early",
            "cut", // 7
            "delete 1",
            "break debugged.c:" + first + " on 1",
            "continue", // 10
            "stack",
            "delete 2",
            "goto 1:5",
            "load early", // 14: with the breakpoint of all that is there
            "cut",
            "break main on 2", // a step takes rank 2 past it
            "goto 1:0 then break debugged.c:" + first + "; next",
            "back line", // 18
            "stack",
            "goto 1:2 then break debugged.c:" + line("note((uint64_t)answer);", 2), // 20
            "where",
            "goto 1:0 then next");
    assertThat(answers.get(2).get("arrival")).as("%s", answers).isEqualTo("broken_off");
    assertThat(stack(answers.get(3))).as("%s", answers).contains("main debugged.c:" + init);
    assertThat(lines(answers.get(4))).contains("goto 1:0 then break main");
    assertThat(lines(answers.get(7))).contains("goto 1:0 then break main; next");
    assertThat(stack(answers.get(11))).as("%s", answers).contains("main debugged.c:" + first);
    assertThat(answers.get(13).get("arrival")).as("%s", answers).isEqualTo("reached");
    assertThat(lines(answers.get(15))).contains("goto 1:0 then break main; next");
    assertThat(stack(answers.get(19))).as("%s", answers).contains("main debugged.c:" + first);
    assertThat(lines(answers.get(21)))
        .contains("rank 1: at ask debugged.c:")
        .contains("before event 3");
    assertThat(String.valueOf(answers.get(22).get("error"))).contains("begins with a place");
  }

  /** Nobody leaves an exchange alone; a change is found in Fortran, across ranks that wait. */
  @ParameterizedTest(name = "{0}")
  @DrawnMpi
  void ranksThatNeedEachOtherAreSteppedTogether(Mpi mpi) throws Exception {
    String program = "exchange.f90";
    Ran recording = bench.record(mpi.job(3, bench.compiledFortran(mpi, "exchange")));
    assertThat(recording.status()).as("%s", recording).isZero();
    int changed = line("fortran/" + program, "! changed", 1);
    List<Map<?, ?>> answers =
        debugged(
            "goto 1:99",
            "step",
            "ranks 1",
            "next",
            "watch u(10)", // 4
            "frame",
            "ranks 0-2",
            "break " + program + ":" + line("fortran/" + program, "! alone", 1) + " on 0",
            "continue",
            "step", // 9
            "stack");
    assertThat(byRank(answers.get(1))).as("%s", answers).hasSize(3);
    assertThat(lines(answers.get(1))).as("%s", answers).doesNotContain("no further");
    assertThat(byRank(answers.get(1)).values())
        .as("%s", answers)
        .allMatch(place -> place.contains("ring::exchange " + program) || place.contains("ring "));
    assertThat(String.valueOf(answers.get(4).get("place")))
        .as("%s", answers)
        .startsWith("ring " + program + ":" + changed);
    assertThat(byRank(answers.get(5))).as("%s", answers).containsKey(1);
    assertThat(lines(answers.get(9))).as("%s", answers).contains("no further");
    assertThat(stack(answers.get(10)))
        .as("%s", answers)
        .contains(program + ":" + (line("fortran/" + program, "! alone", 1) + 1));
  }

  private List<Map<?, ?>> debugged(String... commands) {
    return debugged(List.of(), commands);
  }

  private List<Map<?, ?>> debugged(List<String> options, String... commands) {
    List<String> words = new ArrayList<>(List.of("debug", "--batch", "--format", "json"));
    words.addAll(options);
    List.of(commands).forEach(command -> words.addAll(List.of("-e", command)));
    Ran debugged = bench.reprise(words.toArray(String[]::new));
    List<Map<?, ?>> answers = debugged.out().lines().<Map<?, ?>>map(DebugTest::json).toList();
    assertThat(answers).as("%s", debugged).hasSize(commands.length);
    return answers;
  }

  private static String stack(Map<?, ?> answer) {
    return String.valueOf(answer.get("groups"));
  }

  private static String lines(Map<?, ?> answer) {
    return String.valueOf(answer.get("lines"));
  }

  /** The n-th line of the program with this text. */
  private static int line(String text, int which) throws IOException {
    return line("c/debugged.c", text, which);
  }

  private static int line(String program, String text, int which) throws IOException {
    List<String> source =
        Files.readAllLines(Workshop.root().resolve("conformance/src/test").resolve(program));
    int left = which;
    for (int line = 1; line <= source.size(); line++) {
      if (source.get(line - 1).contains(text) && --left == 0) {
        return line;
      }
    }
    throw new AssertionError("no line with " + text);
  }

  static Map<?, ?> json(String line) {
    try (JsonParser parser = new JsonFactory().createParser(ObjectReadContext.empty(), line)) {
      parser.nextToken();
      return JsonTree.value(parser) instanceof Map<?, ?> map ? map : Map.of();
    }
  }

  static SortedMap<Integer, String> byRank(Map<?, ?> answer) {
    SortedMap<Integer, String> values = new TreeMap<>();
    for (Object group : answer.get("groups") instanceof List<?> groups ? groups : List.of()) {
      if (group instanceof Map<?, ?> map && map.get("ranks") instanceof List<?> ranks) {
        ranks.forEach(rank -> values.put(((Number) rank).intValue(), "" + map.get("value")));
      }
    }
    return values;
  }

  @ParameterizedTest(name = "{0}")
  @DrawnMpi
  void nothingIsLeftOfADebuggerThatIsKilled(Mpi mpi) throws Exception {
    RecordedRun run = record(mpi);
    List<String> words = new ArrayList<>(List.of("debug", "--batch"));
    for (String command : gotos(run, 100)) {
      words.addAll(List.of("-e", command, "-e", "print hash"));
    }
    // Java itself, the launcher and its ranks: some are there.
    requireNothingLeft(bench, run, words, 4, random.nextInt(2000));
  }

  /** Starts a debugger, kills it when so many processes are there, and looks for what is left. */
  static void requireNothingLeft(
      Workbench bench, RecordedRun run, List<String> words, int processes, long millis)
      throws Exception {
    Workbench.Running debugger = bench.start(words);
    while (bench.processes().alive().size() < processes && debugger.isAlive()) {
      Thread.sleep(10);
    }
    Thread.sleep(millis);
    ProcessHandle.of(debugger.pid()).ifPresent(ProcessHandle::destroyForcibly);
    debugger.end();
    assertThat(bench.processes().awaitEnd(PATIENCE)).as("after %s ms", millis).isEmpty();
    try (DirectoryStream<Path> left =
        Files.newDirectoryStream(run.directory().path(), "replay-*")) {
      assertThat(left).as("after %s ms", millis).isEmpty();
    }
    run.verify();
  }
}
