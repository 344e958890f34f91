package org.reprise.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.random.RandomGenerator;
import org.reprise.trace.Rank;
import org.reprise.trace.TraceError;
import org.reprise.trace.UserError;
import org.reprise.trace.file.HeaderField;
import org.reprise.trace.file.RankHeader;
import org.reprise.trace.run.RecordedRun;
import org.reprise.trace.run.RunDirectory;
import org.reprise.trace.run.RunStore;
import picocli.CommandLine.Option;

/**
 * {@code bench/crash}: records programs, kills a random rank of each at a random moment, and asks
 * of what is left that it can be read and that a replay follows it to its end.
 */
@picocli.CommandLine.Command(
    name = "bench/crash",
    mixinStandardHelpOptions = true,
    description = {
      "Kills ranks of recorded programs at random moments, and replays what they left.",
      "Each recording must be readable, and each replay must follow it to its end. One that does not is kept in "
          + "bench/target/crashes, and the command that replays it is printed."
    })
public final class Crash implements Callable<Integer> {
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final int PROGRESS_EVERY_RUNS = 5;
  private static final double LENGTH_MIN_SECONDS = 0.02;
  private static final Duration APPEARANCE = Duration.ofSeconds(60);

  /** A program to be killed. */
  private record Victim(String program, int ranks, List<String> arguments) {}

  private static final List<Victim> VICTIMS =
      List.of(
          new Victim("tsp", 4, List.of("16")),
          new Victim("tsp", 2, List.of("15")),
          new Victim("conformance", 4, List.of()),
          new Victim("conformance", 2, List.of()),
          new Victim("receive_benchmark", 2, List.of("200000")),
          new Victim("testsome_farm", 2, List.of("100000")));

  /** What became of one run. */
  private enum End {
    SAME_ORDER("were replayed to where they ended"),
    NOT_KILLED("had ended before the blow, and were replayed"),
    FAILED("failed");

    final String inWords;

    End(String inWords) {
      this.inWords = inWords;
    }
  }

  @Option(names = "--runs", paramLabel = "N", description = "How many runs to kill (100).")
  private int runs = 100;

  @Option(names = "--seed", paramLabel = "SEED", description = "Which victims, when; else random.")
  private Optional<Long> seed = Optional.empty();

  @Option(names = "--mpi", paramLabel = "MPI", description = "openmpi or mpich; else both in turn.")
  private Optional<String> mpi = Optional.empty();

  private Crash() {}

  public static void main(String[] arguments) {
    System.exit(Bench.execute(new Crash(), arguments));
  }

  @Override
  public Integer call() {
    long chosen = seed.orElseGet(() -> RandomGenerator.getDefault().nextLong(1_000_000_000));
    SplittableRandom random = new SplittableRandom(chosen);
    System.out.println("seed " + chosen);
    List<Mpi> mpis =
        mpi
            .map(List::of)
            .orElseGet(() -> Mpi.NAMES.stream().filter(Mpi::isInstalled).toList())
            .stream()
            .map(Mpi::named)
            .toList();
    Map<End, Integer> ends = new EnumMap<>(End.class);
    try (Workshop workshop = new Workshop(Path.of(System.getProperty("reprise.root", ".")))) {
      Map<String, Double> seconds = new HashMap<>();
      for (Mpi each : mpis) {
        workshop.build(each, VICTIMS.stream().map(Victim::program).distinct().toList());
      }
      for (int i = 0; i < runs; i++) {
        Mpi each = mpis.get(i % mpis.size());
        Victim victim = VICTIMS.get(random.nextInt(VICTIMS.size()));
        double length =
            seconds.computeIfAbsent(each.name() + victim, _ -> length(each, victim, workshop));
        Rank rank = new Rank(random.nextInt(victim.ranks()));
        double delay = random.nextDouble(length);
        End end = strike(each, victim, rank, delay, i, workshop);
        ends.merge(end, 1, Integer::sum);
        if ((i + 1) % PROGRESS_EVERY_RUNS == 0) {
          System.out.println("after " + (i + 1) + " runs: " + ends);
        }
      }
    }
    for (End end : End.values()) {
      System.out.println(ends.getOrDefault(end, 0) + " of " + runs + " runs " + end.inWords);
    }
    return ends.getOrDefault(End.FAILED, 0) == 0 ? 0 : 1;
  }

  /** How long the program is at work: the moments at which it can be killed. */
  private static double length(Mpi mpi, Victim victim, Workshop workshop) {
    List<String> hello = mpi.command(victim.ranks(), workshop.program(mpi, "hello"), List.of());
    double launch = seconds(hello, mpi.environment(victim.ranks()), workshop);
    double whole =
        seconds(command(mpi, victim, workshop), mpi.environment(victim.ranks()), workshop);
    return Math.max(whole - launch, LENGTH_MIN_SECONDS);
  }

  private static double seconds(
      List<String> words, Map<String, String> environment, Workshop workshop) {
    Command.Result result = Command.run(words, environment, LIMIT, workshop);
    result.outOrThrow(words);
    return result.seconds();
  }

  private static List<String> command(Mpi mpi, Victim victim, Workshop workshop) {
    return mpi.command(victim.ranks(), workshop.program(mpi, victim.program()), victim.arguments());
  }

  private End strike(
      Mpi mpi, Victim victim, Rank rank, double delay, int number, Workshop workshop) {
    Path home = workshop.freshDirectory("home");
    Map<String, String> environment = new HashMap<>(mpi.environment(victim.ranks()));
    environment.put("REPRISE_HOME", home.toString());
    String reprise = workshop.root().resolve("reprise").toString();
    List<String> record = new ArrayList<>(List.of(reprise, "record"));
    record.addAll(command(mpi, victim, workshop));
    String said = "";
    try {
      boolean killed;
      try (Command command = Command.start(record, environment, workshop)) {
        killed = kill(command, new RunStore(home), rank, delay);
        said = command.finish(LIMIT).err();
      }
      RunDirectory run = new RunStore(home).latest();
      RecordedRun.open(run).verify();
      List<String> replay = List.of(reprise, "replay", run.path().toString());
      Command.Result replayed = Command.run(replay, environment, LIMIT, workshop);
      said += replayed.err();
      if (replayed.err().contains("same order: ")) {
        Workshop.remove(home);
        return killed ? End.SAME_ORDER : End.NOT_KILLED;
      }
    } catch (UserError e) {
      said += (e instanceof TraceError ? "unreadable: " : "") + e.cause() + "\n" + e.found() + "\n";
    }
    Path kept = keep(home, mpi, victim, number, workshop);
    System.out.printf(
        "run %d failed: %s, %s of %d ranks on %s, killed after %.3f s%n%s  see it again: %s%n",
        number,
        victim.program(),
        rank,
        victim.ranks(),
        mpi.name(),
        delay,
        said.indent(2),
        "REPRISE_HOME=%s ./reprise replay latest -- %s"
            .formatted(
                kept,
                String.join(
                    " ",
                    mpi.command(
                        victim.ranks(), kept.resolve(victim.program()), victim.arguments()))));
    return End.FAILED;
  }

  /** True if the rank was there to be killed. */
  private static boolean kill(Command command, RunStore store, Rank rank, double delay) {
    long deadline = System.nanoTime() + APPEARANCE.toNanos();
    while (command.isAlive() && System.nanoTime() < deadline) {
      Optional<RankHeader> header = header(store, rank);
      if (header.isEmpty()) {
        sleep(0.002);
        continue;
      }
      sleep(delay);
      return ProcessHandle.of(header.get().pid())
          .filter(process -> isThe(process, header.get()))
          .map(ProcessHandle::destroyForcibly)
          .orElse(false);
    }
    return false;
  }

  /** The header of a rank that has begun; a file without one is about to get it. */
  private static Optional<RankHeader> header(RunStore store, Rank rank) {
    try {
      return store.list().stream()
          .filter(run -> Files.exists(run.orderFile(rank)))
          .map(run -> run.header(rank))
          .filter(header -> header.pid() > 0 && header.get(HeaderField.START_NANOS) > 0)
          .findFirst();
    } catch (UserError e) {
      return Optional.empty();
    }
  }

  /** Process numbers are used again. */
  private static boolean isThe(ProcessHandle process, RankHeader header) {
    return process.info().command().filter(header.executable()::equals).isPresent();
  }

  private static void sleep(double seconds) {
    try {
      Thread.sleep(Duration.ofNanos((long) (seconds * 1e9)));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** The run and its program, so that the replay can be seen again. */
  private static Path keep(Path home, Mpi mpi, Victim victim, int number, Workshop workshop) {
    Path kept = workshop.root().resolve("bench/target/crashes/" + number + "-" + mpi.name());
    try {
      Workshop.remove(kept);
      Files.createDirectories(kept.getParent());
      copy(home, kept);
      Files.copy(
          workshop.program(mpi, victim.program()),
          kept.resolve(victim.program()),
          StandardCopyOption.REPLACE_EXISTING);
      return kept;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    try (var files = Files.walk(from)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        Files.copy(file, to.resolve(from.relativize(file).toString()), LinkOption.NOFOLLOW_LINKS);
      }
    }
  }
}
