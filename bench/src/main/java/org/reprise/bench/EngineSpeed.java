package org.reprise.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.reprise.ranks.BasicType;
import org.reprise.ranks.CollectiveCall;
import org.reprise.ranks.Communicator;
import org.reprise.ranks.CurrentRank;
import org.reprise.ranks.EmbeddedJob;
import org.reprise.ranks.Enumeration;
import org.reprise.ranks.Fabric;
import org.reprise.ranks.JobRequest;
import org.reprise.ranks.JobResult;
import org.reprise.ranks.Payload;
import org.reprise.ranks.RankProgram;
import org.reprise.ranks.Schedule;
import org.reprise.ranks.SendMode;
import org.reprise.trace.PrivateFiles;
import org.reprise.trace.UserError;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bench/ranks}: the embedded engine, beside MPJ Express where that is installed. */
@Command(
    name = "bench/ranks",
    mixinStandardHelpOptions = true,
    description = {
      "Measures the embedded engine.",
      "A small message: bench/java/SmallMessages.java between two ranks, plain, recorded, and on MPJ Express in its multicore mode "
          + "(Debian's libmpj-java), one after the other in each round; every figure is the best block of a process.",
      "Many ranks: a token goes round a ring, then an Allreduce. Enumeration: two ranks send three messages each to a third."
    })
public final class EngineSpeed implements Callable<Integer> {
  private static final Path MPJ = Path.of("/usr/share/mpj");
  private static final Path LOG4J = Path.of("/usr/share/java/log4j-1.2.jar");
  private static final Pattern NANOS = Pattern.compile("nanos (\\d+)");

  @Option(
      names = "--rounds",
      description = "How often each side of the ping-pong is run (7; 0 leaves it out).")
  private int rounds = 7;

  @Option(names = "--ranks", split = ",", description = "Sizes of the ring (100,1000,10000).")
  private List<Integer> ranks = List.of(100, 1_000, 10_000);

  @Option(names = "--seconds", description = "How long executions are enumerated (5).")
  private int seconds = 5;

  private final Path root = Path.of(System.getProperty("reprise.root", "."));

  private EngineSpeed() {}

  public static void main(String[] arguments) {
    System.exit(Bench.execute(new EngineSpeed(), arguments));
  }

  @Override
  public Integer call() throws IOException {
    if (rounds > 0) {
      Path scratch = Files.createTempDirectory("reprise-bench-");
      try {
        pingPong(scratch);
      } finally {
        PrivateFiles.removeTree(scratch);
      }
    }
    manyRanks();
    enumeration();
    return 0;
  }

  // Small messages

  private void pingPong(Path scratch) {
    String reprise = root.resolve("reprise").toString();
    String program = root.resolve("bench/java/SmallMessages.java").toString();
    Map<String, String> home = Map.of("REPRISE_HOME", scratch.resolve("runs").toString());
    boolean hasMpj = Files.isDirectory(MPJ.resolve("lib")) && Files.exists(LOG4J);
    if (hasMpj) {
      compile(program, scratch);
    }
    List<Long> plain = new ArrayList<>();
    List<Long> recorded = new ArrayList<>();
    List<Long> mpj = new ArrayList<>();
    for (int round = 0; round < rounds; round++) {
      plain.add(nanos(List.of(reprise, "run", "-n", "2", program), home));
      recorded.add(nanos(List.of(reprise, "record", "-n", "2", program), home));
      if (hasMpj) {
        mpj.add(nanosOnMpj(scratch));
      }
    }
    System.out.printf(
        Locale.ROOT, "%-28s %9s %9s %7s%n", "SMALL MESSAGE", "best ns", "median", "ratio");
    row("embedded", plain, plain);
    row("embedded, recorded", recorded, plain);
    if (hasMpj) {
      row("MPJ Express, multicore", mpj, plain);
    } else {
      System.out.println("MPJ Express is not installed (libmpj-java, liblog4j1.2-java)");
    }
  }

  private static void row(String name, List<Long> nanos, List<Long> plain) {
    List<Long> sorted = nanos.stream().sorted().toList();
    long best = sorted.getFirst();
    double ratio = (double) best / plain.stream().min(Long::compare).orElseThrow();
    System.out.printf(
        Locale.ROOT, "%-28s %9d %9d %7.2f%n", name, best, sorted.get(sorted.size() / 2), ratio);
  }

  private void compile(String program, Path scratch) {
    run(
        List.of(
            java("javac"),
            "-nowarn",
            "-proc:none",
            "-cp",
            MPJ.resolve("lib/mpj.jar").toString(),
            "-d",
            scratch.toString(),
            program),
        Map.of());
  }

  private static String java(String tool) {
    return Path.of(System.getProperty("java.home"), "bin", tool).toString();
  }

  private static long nanosOnMpj(Path scratch) {
    try (Stream<Path> jars = Files.list(MPJ.resolve("lib"))) {
      String path = String.join(":", jars.map(Path::toString).toList());
      return nanos(
          List.of(
              java("java"),
              "-cp",
              path,
              "runtime.starter.MPJRun",
              "-np",
              "2",
              "-cp",
              scratch.toString(),
              "SmallMessages"),
          Map.of("MPJ_HOME", MPJ.toString(), "JAVA_TOOL_OPTIONS", "-Xbootclasspath/a:" + LOG4J));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static long nanos(List<String> command, Map<String, String> environment) {
    String output = run(command, environment);
    Matcher nanos = NANOS.matcher(output);
    if (!nanos.find()) {
      throw new UserError("a benchmark printed no result", output, "run it by hand: " + command);
    }
    return Long.parseLong(nanos.group(1));
  }

  private static String run(List<String> command, Map<String, String> environment) {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(environment);
    try {
      Process process = builder.start();
      process.getOutputStream().close();
      return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  // Many ranks

  private void manyRanks() {
    System.out.printf(
        Locale.ROOT, "%n%-10s %8s %10s %12s %8s%n", "RING", "RANKS", "ms", "us/rank", "USED MB");
    for (boolean seeded : new boolean[] {false, true}) {
      for (int count : ranks) {
        Schedule schedule = seeded ? new Schedule.Seeded(1) : new Schedule.Free();
        long begin = System.nanoTime();
        JobResult result = EmbeddedJob.run(JobRequest.of(count, schedule), ringAndSum(count));
        double millis = (System.nanoTime() - begin) / 1e6;
        if (!result.succeeded()) {
          throw new IllegalStateException(result.toString());
        }
        Runtime runtime = Runtime.getRuntime();
        System.out.printf(
            Locale.ROOT,
            "%-10s %8d %10.0f %12.1f %8d%n",
            seeded ? "seeded" : "free",
            count,
            millis,
            millis * 1000 / count,
            runtime.totalMemory() - runtime.freeMemory() >> 20);
      }
    }
  }

  private static RankProgram ringAndSum(int count) {
    return rank -> {
      Fabric mpi = CurrentRank.fabric();
      Communicator world = mpi.world();
      int[] token = new int[1];
      if (rank > 0) {
        mpi.receive(world, rank - 1, 0, ints(token));
        token[0]++;
      }
      mpi.send(world, (rank + 1) % count, 0, ints(token), SendMode.STANDARD);
      if (rank == 0) {
        mpi.receive(world, count - 1, 0, ints(token));
      }
      int[] sum = new int[1];
      mpi.collective(
          world,
          CollectiveCall.allreduce(
              ints(new int[] {1}),
              ints(sum),
              (into, next) ->
                  ((int[]) into.array())[into.offset()] += ((int[]) next.array())[next.offset()]));
      if (sum[0] != count || (rank == 0 && token[0] != count - 1)) {
        throw new IllegalStateException("sum " + sum[0] + ", token " + token[0]);
      }
      mpi.finish();
    };
  }

  private static Payload ints(int[] values) {
    return new Payload(BasicType.INT, values, 0, values.length);
  }

  // Enumeration

  private void enumeration() {
    long begin = System.nanoTime();
    long best = 0;
    System.out.println();
    while ((System.nanoTime() - begin) / 1e9 < seconds) {
      long from = System.nanoTime();
      long executions = 0;
      while (System.nanoTime() - from < 500_000_000L) {
        executions +=
            Enumeration.explore(
                    Enumeration.Request.of(3), () -> EngineSpeed::sixMessages, _ -> true)
                .executions();
      }
      best = Math.max(best, (long) (executions * 1e9 / (System.nanoTime() - from)));
    }
    System.out.println("executions a second, 3 ranks, 6 messages, best half second: " + best);
  }

  private static void sixMessages(int rank) {
    Fabric mpi = CurrentRank.fabric();
    for (int i = 0; i < 3; i++) {
      if (rank == 0) {
        mpi.receive(mpi.world(), Fabric.ANY_SOURCE, Fabric.ANY_TAG, null);
        mpi.receive(mpi.world(), Fabric.ANY_SOURCE, Fabric.ANY_TAG, null);
      } else {
        mpi.send(mpi.world(), 0, 0, ints(new int[] {i}), SendMode.STANDARD);
      }
    }
    mpi.finish();
  }
}
