package org.reprise.ranks.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.reprise.ranks.fabric.BasicType;
import org.reprise.ranks.fabric.MpiCall;
import org.reprise.ranks.fabric.Received;
import org.reprise.trace.file.HeaderField;
import org.reprise.trace.file.RankFiles;
import org.reprise.trace.file.RankHeader;
import org.reprise.trace.file.Wire;
import org.reprise.trace.order.OrderReader;
import org.reprise.trace.order.OrderWriter;
import org.reprise.trace.order.Outcome;

/**
 * The rules of replay exist twice, in the interposer's plan.c and in {@link Plan}. Both answer the
 * same cases here, which interposer/test/plan-vectors.txt has: the interposer's through a driver
 * that is compiled for each MPI.
 */
class PlanVectorsTest {
  private static final Path INTERPOSER = Path.of(System.getProperty("reprise.root"), "interposer");

  /** One of the two sides, or the C side on another MPI. */
  enum Side {
    JAVA,
    OPEN_MPI("mpicc.openmpi", "mpirun.openmpi"),
    MPICH("mpicc.mpich", "mpirun.mpich");

    private final List<String> tools;

    Side(String... tools) {
      this.tools = List.of(tools);
    }
  }

  /**
   * A case.
   *
   * @param script what the program does, a call a line
   * @param answers of the plan, one for each
   */
  private record Case(
      String name,
      RankHeader header,
      List<Outcome> plan,
      List<String> script,
      List<String> answers) {}

  @TempDir Path directory;

  @ParameterizedTest
  @MethodSource("sides")
  void bothSidesAnswerTheSame(Side side) throws Exception {
    List<Case> cases = cases();
    assertThat(cases).hasSizeGreaterThan(15);
    if (side != Side.JAVA) {
      compile(side);
    }
    for (Case one : cases) {
      Path place = Files.createDirectory(directory.resolve("case-" + cases.indexOf(one)));
      try (OrderWriter writer = new OrderWriter(place.resolve("rank-0.order"), one.header())) {
        one.plan().forEach(writer::write);
      }
      List<String> answers =
          side == Side.JAVA ? askJava(one, place) : askInterposer(side, one, place);
      assertThat(answers).as("%s: %s", side, one.name()).isEqualTo(one.answers());
    }
  }

  static Stream<Side> sides() {
    return Stream.of(Side.values());
  }

  // The vectors

  private static List<Case> cases() throws IOException {
    List<Case> cases = new ArrayList<>();
    for (String block :
        Files.readString(INTERPOSER.resolve("test/plan-vectors.txt")).split("(?m)^case ")) {
      if (!block.startsWith("#")) {
        cases.add(
            read(block.lines().filter(line -> !line.isBlank() && !line.startsWith("#")).toList()));
      }
    }
    return cases;
  }

  private static Case read(List<String> lines) {
    RankHeader header =
        RankHeader.create(Wire.FileKind.ORDER, Wire.Mode.RECORD, new org.reprise.trace.Rank(0), 1)
            .with(HeaderField.STATE, Wire.State.FINALIZED.ordinal())
            .with(HeaderField.EVENTS, Integer.MAX_VALUE);
    List<Outcome> plan = new ArrayList<>();
    List<String> script = new ArrayList<>();
    List<String> answers = new ArrayList<>();
    for (String line : lines.subList(1, lines.size())) {
      String[] words = line.split(" ");
      switch (words[0]) {
        case "header" ->
            header =
                words[1].equals("plan")
                    ? header
                        .with(HeaderField.STATE, Wire.State.RUNNING.ordinal())
                        .with(HeaderField.FLAGS, 1L << Wire.Flag.PLAN.ordinal())
                    : header.with(
                        HeaderField.STATE,
                        Wire.State.valueOf(words[1].toUpperCase(Locale.ROOT)).ordinal());
        case "tail" -> header = header.with(HeaderField.FAILED_POLLS, Long.parseLong(words[1]));
        case "events" -> header = header.with(HeaderField.EVENTS, Long.parseLong(words[1]));
        case "posts" -> header = header.with(HeaderField.POSTS, Long.parseLong(words[1]));
        case "record" -> plan.add(outcome(words));
        default -> {
          String[] sides = line.split(" => ");
          script.add(sides[0]);
          answers.add(sides[1]);
        }
      }
    }
    return new Case(lines.getFirst(), header, plan, script, answers);
  }

  private static Outcome outcome(String[] words) {
    OptionalInt none = OptionalInt.empty();
    return switch (words[1]) {
      case "recv" -> new Outcome.Recv(number(words, 2), none);
      case "recv-tag" -> new Outcome.Recv(number(words, 2), OptionalInt.of(number(words, 3)));
      case "found" -> new Outcome.Found(number(words, 2), none);
      case "polls" -> new Outcome.FailedPolls(number(words, 2));
      case "hit" -> new Outcome.Hit(poll(words[2]));
      case "index" -> new Outcome.Index(OptionalInt.of(number(words, 2)));
      case "post" -> new Outcome.Post(number(words, 2), number(words, 3), none);
      case "post-tag" ->
          new Outcome.Post(number(words, 2), number(words, 3), OptionalInt.of(number(words, 4)));
      case "post-cancelled" -> new Outcome.PostEnd(number(words, 2), Wire.PostEnd.CANCELLED);
      case "post-never" -> new Outcome.PostEnd(number(words, 2), Wire.PostEnd.NEVER);
      case "free" -> new Outcome.Free(number(words, 2));
      case "again" -> new Outcome.Again(number(words, 2));
      default -> throw new IllegalArgumentException("no such outcome: " + words[1]);
    };
  }

  private static int number(String[] words, int at) {
    return Integer.parseInt(words[at]);
  }

  private static Wire.Poll poll(String word) {
    return Wire.Poll.valueOf(word.toUpperCase(Locale.ROOT).replace('-', '_'));
  }

  // The embedded engine

  private static List<String> askJava(Case one, Path place) throws IOException {
    Path own = Files.createDirectory(place.resolve("own"));
    FileJournal journal =
        FileJournal.create(new RankFiles.InDirectory(own), Wire.Mode.REPLAY, 0, 1);
    try (OrderReader order = OrderReader.open(place.resolve("rank-0.order"))) {
      Plan plan = Plan.read(order, journal);
      journal.obey(plan);
      return one.script().stream().map(line -> ask(plan, journal, line.split(" "), own)).toList();
    }
  }

  private static String ask(Plan plan, FileJournal journal, String[] words, Path own) {
    return switch (words[0]) {
      case "recv" -> match(plan, MpiCall.RECV, Plan.RECEIVES, false);
      case "recv-tag" -> match(plan, MpiCall.RECV, Plan.RECEIVES, true);
      case "probe" -> match(plan, MpiCall.PROBE, Plan.PROBES, false);
      case "waitany" ->
          plan.isInForce() ? index(plan.takeOrFree(MpiCall.WAITANY, Plan.INDEX, 4, 0)) : "free";
      case "testany" -> polled(plan, MpiCall.TESTANY, Plan.INDEX, 0);
      case "find" -> polled(plan, MpiCall.IPROBE, Plan.FINDS, Wire.Poll.IPROBE.ordinal());
      case "poll" -> polled(plan, MpiCall.TEST, Plan.HITS, poll(words[1]).ordinal());
      case "post" -> post(plan, Long.parseLong(words[1]));
      case "event" -> {
        // As a message's are mixed in: the first number from source and tag, the second from size.
        long first = Long.parseUnsignedLong(words[1]);
        journal.received(
            new Received(
                (int) (first >>> Integer.SIZE),
                (int) first,
                BasicType.BYTE,
                Integer.parseInt(words[2]),
                false,
                null),
            0);
        yield "%016x".formatted(journal.orderHash());
      }
      case "reached" -> {
        plan.returned(journal.events());
        yield plan.hasReachedEnd() ? "yes" : "no";
      }
      case "finish" -> {
        plan.finish();
        yield divergence(own);
      }
      case "end" ->
          "%s beyond=%d skipped=%d replayed=%d"
              .formatted(
                  divergence(own),
                  header(own).get(HeaderField.POLLS_BEYOND),
                  header(own).get(HeaderField.POLLS_SKIPPED),
                  header(own).get(HeaderField.REPLAYED));
      default -> throw new IllegalArgumentException("no such line: " + words[0]);
    };
  }

  private static String match(Plan plan, MpiCall call, Set<Wire.Kind> kinds, boolean anyTag) {
    Plan.Choice choice = plan.isInForce() ? plan.choice(call, kinds, -1, 7) : null;
    if (choice == null) {
      return "free";
    }
    return choice.source() + (anyTag ? " " + choice.tagOr(-1) : "");
  }

  private static String index(Plan.Choice choice) {
    return choice == Plan.FREE ? "free" : String.valueOf(choice.indices()[0]);
  }

  private static String polled(Plan plan, MpiCall call, Set<Wire.Kind> kinds, int detail) {
    Plan.Choice choice = plan.isInForce() ? plan.poll(call, kinds, detail) : Plan.FREE;
    if (choice == null) {
      return "fails";
    }
    if (choice == Plan.FREE) {
      return "free";
    }
    return switch (choice.outcome()) {
      case Outcome.Hit _ -> "hit";
      case Outcome.Index _ -> index(choice);
      default -> String.valueOf(choice.source());
    };
  }

  private static String post(Plan plan, long post) {
    Plan.Fate fate = plan.isInForce() ? plan.post(MpiCall.IRECV, post, true) : Plan.Fate.UNKNOWN;
    if (!fate.matches()) {
      return "nothing";
    }
    if (!fate.isForced()) {
      return "free";
    }
    return fate.source() + (fate.tagOr(-1) < 0 ? "" : " " + fate.tagOr(-1));
  }

  private static RankHeader header(Path own) {
    return new org.reprise.trace.run.RunDirectory(own).header(new org.reprise.trace.Rank(0));
  }

  private static String divergence(Path own) {
    return header(own)
        .divergence()
        .map(note -> note.what().name().toLowerCase(Locale.ROOT).replace('_', '-'))
        .orElse("same");
  }

  // The interposer

  private void compile(Side side) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(side.tools.getFirst());
    command.addAll(List.of("-std=gnu11", "-O0", "-Wall", "-rdynamic", "-Wl,--no-as-needed"));
    command.addAll(List.of("-I" + INTERPOSER.resolve("include"), "-I" + INTERPOSER.resolve("src")));
    command.addAll(List.of("-I" + INTERPOSER, "-o", directory.resolve("driver").toString()));
    command.add(INTERPOSER.resolve("test/plan_driver.c").toString());
    try (Stream<Path> sources = Files.list(INTERPOSER.resolve("src"))) {
      sources
          .filter(file -> file.toString().endsWith(".c"))
          .forEach(file -> command.add(file.toString()));
    }
    command.addAll(List.of("-ldl", "-lpthread"));
    assertThat(run(command, directory.resolve("no-input"))).as("%s", command).isEmpty();
  }

  private List<String> askInterposer(Side side, Case one, Path place) throws Exception {
    Path script = Files.write(place.resolve("script"), one.script());
    return run(
            List.of(
                side.tools.get(1),
                "-n",
                "1",
                directory.resolve("driver").toString(),
                place.toString()),
            script)
        .lines()
        .toList();
  }

  private static String run(List<String> command, Path input) throws Exception {
    Path output = Files.createTempFile(input.getParent(), "output", "");
    Path given = Files.exists(input) ? input : Files.createFile(input);
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectInput(given.toFile())
            .redirectOutput(output.toFile());
    builder.environment().put("OMPI_ALLOW_RUN_AS_ROOT", "1");
    builder.environment().put("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    Process process = builder.start();
    try {
      assertThat(process.waitFor(5, TimeUnit.MINUTES)).as("%s ends", command).isTrue();
      assertThat(process.exitValue()).as("%s: %s", command, text(output)).isZero();
      return text(output);
    } finally {
      process.destroyForcibly();
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
