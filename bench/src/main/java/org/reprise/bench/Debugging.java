package org.reprise.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.reprise.trace.Rank;
import org.reprise.trace.UserError;
import org.reprise.trace.events.EventReader;
import org.reprise.trace.run.RecordedRun;
import org.reprise.trace.run.RunDirectory;
import org.reprise.trace.run.RunStore;
import picocli.CommandLine.Option;

/**
 * {@code bench/debug}: goes to random places of recorded runs with {@code reprise debug}, and asks
 * each rank for the hash of its memory, which must be that of the run; or kills processes of a
 * session at random moments, of which nothing may be left.
 */
@picocli.CommandLine.Command(
    name = "bench/debug",
    mixinStandardHelpOptions = true,
    description = {
      "Goes to random places of recorded runs, and compares the memory of all ranks with that of the run.",
      "Prints for each run how many places were reached and how many had the memory of the run, the bound that the "
          + "plan promises, and what the way from goto to the prompt took."
    })
public final class Debugging implements Callable<Integer> {
  private static final Duration LIMIT = Duration.ofMinutes(20);
  private static final Duration END = Duration.ofSeconds(60);
  private static final double NANOS = 1e-9;

  /** What memory_hash.c stands before. */
  private static final List<String> WRAPPED =
      List.of(
          """
          malloc calloc realloc free MPI_Send MPI_Recv MPI_Probe MPI_Bcast MPI_Reduce MPI_Gather \
          MPI_Sendrecv MPI_Isend MPI_Irecv MPI_Waitall MPI_Finalize"""
              .split(" "));

  @Option(names = "--mpi", paramLabel = "MPI", description = "openmpi or mpich; else both.")
  private Optional<String> mpi = Optional.empty();

  @Option(names = "--program", paramLabel = "NAME,...", split = ",", description = "Else all four.")
  private List<String> programs = List.of("message_exchange", "poisson", "fft", "jacobi");

  @Option(names = "--ranks", paramLabel = "N,...", split = ",", description = "4, 8 and 16.")
  private List<Integer> ranks = List.of(4, 8, 16);

  @Option(names = "--places", paramLabel = "N", description = "Random breakpoints a run (200).")
  private int places = 200;

  @Option(names = "--instants", paramLabel = "N", description = "Random moments a run (100).")
  private int instants = 100;

  @Option(names = "--seconds", paramLabel = "S", description = "How long a run takes, about (10).")
  private double seconds = 10;

  @Option(names = "--period", paramLabel = "TIME", description = "Of checkpoints (1s).")
  private String period = "1s";

  @Option(names = "--policy", paramLabel = "POLICY", description = "ours, mrt or ros (ours).")
  private String policy = "ours";

  @Option(names = "--growth", description = "Each run once more, ten times as long.")
  private boolean growth;

  @Option(names = "--kills", paramLabel = "N", description = "Instead, kill N times.")
  private int kills;

  @Option(names = "--seed", paramLabel = "SEED", description = "Which places; else random.")
  private Optional<Long> seed = Optional.empty();

  private SplittableRandom random = new SplittableRandom();
  private int failures;

  private Debugging() {}

  public static void main(String[] arguments) {
    System.exit(Bench.execute(new Debugging(), arguments));
  }

  /** A recorded run and where it is. */
  private record Recorded(
      RecordedRun run, Path directory, Map<String, String> environment, double replaySeconds) {
    String name() {
      return run.directory().path().toString();
    }
  }

  @Override
  public Integer call() {
    long chosen = seed.orElseGet(() -> RandomGenerator.getDefault().nextLong(1_000_000_000));
    random = new SplittableRandom(chosen);
    System.out.println("seed " + chosen);
    List<Mpi> mpis =
        mpi
            .map(List::of)
            .orElseGet(() -> Mpi.NAMES.stream().filter(Mpi::isInstalled).toList())
            .stream()
            .map(Mpi::named)
            .toList();
    if (kills == 0) {
      System.out.println(
          "| MPI | program | ranks | run s | checkpoints | MB | T s | D s | bound s | places | reached | same memory |"
              + " median s | worst s | above bound | cost |");
      System.out.println("|---|---|" + "---:|".repeat(14));
    }
    try (Workshop shop = new Workshop(Path.of(System.getProperty("reprise.root", ".")))) {
      for (Mpi each : mpis) {
        for (String program : programs) {
          Path compiled = compiled(each, program, shop);
          for (int n : ranks) {
            measure(each, program, compiled, n, shop);
          }
        }
      }
    }
    return failures == 0 ? 0 : 1;
  }

  private void measure(Mpi mpi, String program, Path compiled, int n, Workshop shop) {
    double each = secondsOfOne(mpi, program, compiled, n, shop);
    for (int times = 1; times <= (growth ? 10 : 1); times *= 10) {
      int rounds = (int) Math.max(10, times * seconds / each);
      Recorded recorded = record(mpi, program, compiled, n, rounds, shop);
      if (kills > 0) {
        kill(mpi, program, n, recorded, shop);
      } else {
        row(mpi, program, n, recorded, shop);
      }
      Workshop.remove(recorded.directory);
    }
  }

  // ---- Runs ----

  private static Path compiled(Mpi mpi, String program, Workshop shop) {
    Path made = shop.fresh(program);
    List<String> words =
        new ArrayList<>(List.of(mpi.mpicc(), "-std=c11", "-D_GNU_SOURCE", "-O2", "-g", "-w"));
    WRAPPED.forEach(name -> words.add("-Wl,--wrap=" + name));
    Path root = shop.root();
    words.addAll(
        List.of(
            "-o",
            made.toString(),
            root + "/examples/c/" + program + ".c",
            root + "/bench/c/memory_hash.c",
            "-lm"));
    Command.run(words, Map.of(), LIMIT, shop).outOrThrow(words);
    return made;
  }

  private static List<String> arguments(String program, int rounds) {
    String count = String.valueOf(rounds);
    return switch (program) {
      case "message_exchange" -> List.of(count);
      case "poisson" -> List.of("64", count, "-1");
      case "fft" -> List.of("64", count);
      case "jacobi" -> List.of("240", count, "-1");
      default -> throw new UserError("no such program", program, "name one of the four");
    };
  }

  /** How long a round takes here. */
  private static double secondsOfOne(Mpi mpi, String program, Path compiled, int n, Workshop shop) {
    int rounds = 200;
    Path directory = shop.freshDirectory("try");
    double least = 0.5;
    double took = 0;
    while (took < least) {
      rounds *= 4;
      List<String> words =
          inDirectory(directory, mpi.command(n, compiled, arguments(program, rounds)));
      Command.Result result = Command.run(words, mpi.environment(n), LIMIT, shop);
      result.outOrThrow(words);
      took = result.seconds();
    }
    Workshop.remove(directory);
    return took / rounds;
  }

  private static List<String> inDirectory(Path directory, List<String> words) {
    List<String> all = new ArrayList<>(List.of("env", "-C", directory.toString()));
    all.addAll(words);
    return all;
  }

  private Recorded record(
      Mpi mpi, String program, Path compiled, int n, int rounds, Workshop shop) {
    Path directory = shop.freshDirectory("run");
    Map<String, String> environment = new HashMap<>(mpi.environment(n));
    environment.put("REPRISE_HOME", directory.resolve("home").toString());
    Path temporary = directory.resolve("t");
    try {
      Files.createDirectory(temporary);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    environment.put("TMPDIR", temporary.toString());
    String reprise = shop.root().resolve("reprise").toString();
    List<String> words = new ArrayList<>(List.of(reprise, "record", "--events"));
    words.addAll(mpi.command(n, compiled, arguments(program, rounds)));
    List<String> record = inDirectory(directory, words);
    Command.run(record, environment, LIMIT, shop).outOrThrow(record);
    RunDirectory run = new RunStore(directory.resolve("home")).latest();
    List<String> start = List.of(reprise, "--version");
    double begins = Command.run(start, environment, LIMIT, shop).seconds();
    List<String> replay = List.of(reprise, "replay", run.path().toString());
    Command.Result replayed = Command.run(replay, environment, LIMIT, shop);
    replayed.outOrThrow(replay);
    return new Recorded(RecordedRun.open(run), directory, environment, replayed.seconds() - begins);
  }

  private static int events(Recorded recorded, int rank) {
    try (EventReader events = recorded.run.directory().openEvents(new Rank(rank))) {
      int count = 0;
      while (events.advance()) {
        count++;
      }
      return count;
    }
  }

  private List<String> words(Recorded recorded, Workshop shop) {
    return inDirectory(
        recorded.directory,
        List.of(
            shop.root().resolve("reprise").toString(),
            "debug",
            recorded.name(),
            "--period",
            period,
            "--policy",
            policy));
  }

  // ---- Places ----

  private String randomEvent(int[] counts) {
    int rank = random.nextInt(counts.length);
    int event = 1 + random.nextInt(counts[rank] - 1);
    return "goto %d:%d%s".formatted(rank, event, random.nextBoolean() ? " --latest" : "");
  }

  private void row(Mpi mpi, String program, int n, Recorded recorded, Workshop shop) {
    String plan = plan(recorded, shop);
    double run = number(plan, "nanos") * NANOS;
    double bound = number(plan, "boundNanos") * NANOS;
    int[] counts = new int[n];
    for (int rank = 0; rank < n; rank++) {
      counts[rank] = events(recorded, rank);
    }
    // The first comes with the checkpoints, and is not counted.
    List<String> gotos = new ArrayList<>(List.of(randomEvent(counts)));
    for (int i = 0; i < places; i++) {
      gotos.add(randomEvent(counts));
    }
    for (int i = 0; i < instants; i++) {
      gotos.add("goto %dns".formatted(random.nextLong((long) (run / NANOS))));
    }
    List<String> commands =
        gotos.stream()
            .flatMap(one -> Stream.of(one, "print memory_calls", "print memory_hash"))
            .toList();
    List<List<String>> hashes = hashes(recorded, n);
    try (DebugSession session =
        new DebugSession(words(recorded, shop), commands, recorded.environment, shop)) {
      List<DebugSession.Answer> answers = session.answers();
      int reached = 0;
      int same = 0;
      int above = 0;
      List<Double> took = new ArrayList<>();
      for (int i = 0; i < gotos.size() && 3 * i + 2 < answers.size(); i++) {
        DebugSession.Answer arrival = answers.get(3 * i);
        boolean isReached = arrival.isReached();
        boolean isSame =
            isSame(hashes, answers.get(3 * i + 1).byRank(), answers.get(3 * i + 2).byRank());
        reached += isReached ? 1 : 0;
        same += isSame ? 1 : 0;
        if (!isReached || !isSame) {
          System.out.println("failed: " + gotos.get(i) + "\n  " + arrival.text());
        }
        if (i > 0) {
          took.add(arrival.seconds());
          above += arrival.seconds() > bound ? 1 : 0;
        }
      }
      DebugSession.Taken taken = session.taken();
      failures += reached == gotos.size() && same == gotos.size() ? 0 : 1;
      if (taken.checkpoints() == 0 || answers.size() < commands.size()) {
        failures++;
        System.out.println(session.said().indent(2));
      }
      System.out.printf(
          "| %s | %s | %d | %.1f | %d | %d | %.2f | %.2f | %.2f | %d | %d | %d | %.2f | %.2f | %d | %.2f |%n",
          mpi.name(),
          program,
          n,
          run,
          taken.checkpoints(),
          taken.megabytes(),
          number(plan, "longestNanos") * NANOS,
          number(plan, "spreadNanos") * NANOS,
          bound,
          gotos.size(),
          reached,
          same,
          took.isEmpty() ? 0.0 : Spread.of(took).median(),
          took.stream().mapToDouble(Double::doubleValue).max().orElse(0),
          above,
          taken.seconds() / recorded.replaySeconds);
    }
  }

  private String plan(Recorded recorded, Workshop shop) {
    List<String> words =
        List.of(
            shop.root().resolve("reprise").toString(),
            "plan",
            recorded.name(),
            "--period",
            period,
            "--policy",
            policy,
            "--format",
            "json");
    return Command.run(words, recorded.environment, LIMIT, shop).outOrThrow(words);
  }

  private static double number(String json, String name) {
    Matcher found = Pattern.compile("\"" + name + "\" *: *([0-9.Ee+]+)").matcher(json);
    return found.find() ? Double.parseDouble(found.group(1)) : Double.NaN;
  }

  /** What the memory of each rank was in each of its calls, as the recorded run has written it. */
  private static List<List<String>> hashes(Recorded recorded, int n) {
    List<List<String>> all = new ArrayList<>();
    try {
      for (int rank = 0; rank < n; rank++) {
        all.add(Files.readAllLines(recorded.directory.resolve("memory-" + rank)));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return all;
  }

  /** Before the first call there is nothing to compare. */
  private static boolean isSame(
      List<List<String>> then, SortedMap<Integer, String> calls, SortedMap<Integer, String> now) {
    boolean same = calls.size() == then.size() && now.size() == then.size();
    for (int rank = 0; same && rank < then.size(); rank++) {
      int made = Integer.parseInt(calls.get(rank));
      same = made == 0 || then.get(rank).get(made - 1).equals(now.get(rank));
    }
    return same;
  }

  // ---- Kills ----

  /** Of whom one is killed: the debugger, a gdb, and else whatever there is. */
  private void kill(Mpi mpi, String program, int n, Recorded recorded, Workshop shop) {
    int[] counts = new int[n];
    for (int rank = 0; rank < n; rank++) {
      counts[rank] = events(recorded, rank);
    }
    int clean = 0;
    for (int i = 0; i < kills; i++) {
      String whom = List.of("debugger", "gdb", "rank").get(i % 3);
      List<String> commands = new ArrayList<>();
      for (int place = 0; place < 20; place++) {
        commands.addAll(List.of(randomEvent(counts), "print memory_hash"));
      }
      double delay = 0.5 + random.nextDouble(2 * recorded.replaySeconds + 4);
      try (DebugSession session =
          new DebugSession(words(recorded, shop), commands, recorded.environment, shop)) {
        boolean killed = strike(session, recorded, whom, delay);
        if (!whom.equals("debugger")) {
          session.answers();
        }
        List<String> left = left(recorded);
        clean += left.isEmpty() ? 1 : 0;
        if (!left.isEmpty()) {
          failures++;
          System.out.printf(
              "failed: %s of %s on %s %s after %.2f s left%n%s",
              whom,
              program,
              mpi.name(),
              killed ? "killed" : "not killed",
              delay,
              String.join("\n", left).indent(2));
        }
      }
    }
    System.out.printf(
        "%s, %s, %d ranks: nothing was left %d of %d times%n",
        mpi.name(), program, n, clean, kills);
  }

  private boolean strike(DebugSession session, Recorded recorded, String whom, double delay) {
    sleep(delay);
    long until = System.nanoTime() + END.toNanos();
    while (session.process().isAlive() && System.nanoTime() < until) {
      List<ProcessHandle> found =
          ours(recorded).filter(one -> whom.equals(role(one, recorded))).toList();
      if (!found.isEmpty()) {
        return found.get(random.nextInt(found.size())).destroyForcibly();
      }
      sleep(0.01);
    }
    return false;
  }

  private static String role(ProcessHandle process, Recorded recorded) {
    String command = process.info().command().orElse("");
    return command.endsWith("/java")
        ? "debugger"
        : command.endsWith("/gdb")
            ? "gdb"
            : command.equals(recorded.run.header(new Rank(0)).executable()) ? "rank" : "other";
  }

  /** What carries the directory of the runs in its environment. */
  private static Stream<ProcessHandle> ours(Recorded recorded) {
    String mark = "REPRISE_HOME=" + recorded.environment.get("REPRISE_HOME");
    return ProcessHandle.allProcesses().filter(one -> environment(one).contains(mark));
  }

  private static List<String> environment(ProcessHandle process) {
    try {
      byte[] bytes = Files.readAllBytes(Path.of("/proc", Long.toString(process.pid()), "environ"));
      return List.of(new String(bytes, StandardCharsets.ISO_8859_1).split("\0"));
    } catch (IOException e) {
      return List.of(); // gone by now, or somebody else's
    }
  }

  /** What is there a minute later: processes, files, damage to the run. */
  private static List<String> left(Recorded recorded) {
    long until = System.nanoTime() + END.toNanos();
    List<String> left = leftNow(recorded);
    while (!left.isEmpty() && System.nanoTime() < until) {
      sleep(0.05);
      left = leftNow(recorded);
    }
    try {
      RecordedRun.open(recorded.run.directory()).verify();
    } catch (UserError e) {
      left.add(e.cause());
    }
    return left;
  }

  private static List<String> leftNow(Recorded recorded) {
    List<String> left =
        ours(recorded).map(Debugging::described).collect(Collectors.toCollection(ArrayList::new));
    for (Path directory :
        List.of(recorded.directory.resolve("t"), recorded.run.directory().path())) {
      try (DirectoryStream<Path> files =
          Files.newDirectoryStream(directory, "{reprise-,replay-,hsperf,ompi.}*")) {
        files.forEach(file -> left.add(file.toString()));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return left;
  }

  private static String described(ProcessHandle process) {
    String state = "?";
    try {
      Path status = Path.of("/proc", Long.toString(process.pid()), "status");
      state =
          Files.readAllLines(status).stream()
              .filter(line -> line.matches("(State|PPid|TracerPid):.*"))
              .collect(Collectors.joining(", "));
    } catch (IOException e) {
      // gone by now
    }
    return "%d %s [%s]".formatted(process.pid(), process.info().commandLine().orElse("?"), state);
  }

  private static void sleep(double seconds) {
    try {
      Thread.sleep(Duration.ofNanos((long) (seconds / NANOS)));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
