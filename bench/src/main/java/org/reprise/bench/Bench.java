package org.reprise.bench;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.reprise.trace.UserError;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code bench/run}: every number that docs/PERFORMANCE.md gives. */
@Command(
    name = "bench/run",
    mixinStandardHelpOptions = true,
    description = {
      "Measures what recording and replaying cost.",
      "Ratios are to a plain run of the same program just before. BEST is the ratio of the fastest runs, which is what a "
          + "quiet machine would show."
    })
public final class Bench implements Callable<Integer> {
  /** How the rows are printed. */
  enum Format {
    TEXT,
    JSON
  }

  private static final int REPEATS = 15;
  private static final int QUICK_REPEATS = 5;
  private static final int QUICK_DIVISOR = 5;
  private static final int SIZE_REPEATS = 3;

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "NAME", description = "What to measure; else everything: ${NAMES}")
  private List<String> names = List.of();

  @Option(names = "--repeats", paramLabel = "N", description = "How often each side is run (15).")
  private Optional<Integer> repeats = Optional.empty();

  @Option(names = "--mpi", paramLabel = "MPI", description = "openmpi or mpich; else both.")
  private Optional<String> mpi = Optional.empty();

  @Option(names = "--quick", description = "Fewer and shorter runs: does it work at all?")
  private boolean quick;

  @Option(
      names = "--right-of-way",
      description = "Timed ranks run before whatever else runs here; needs root.")
  private boolean rightOfWay;

  @Option(names = "--format", description = "${COMPLETION-CANDIDATES}; else TEXT.")
  private Format format = Format.TEXT;

  private Bench() {}

  public static void main(String[] arguments) {
    System.setProperty("NAMES", String.join(", ", allNames()));
    System.exit(execute(new Bench(), arguments));
  }

  /** Runs a command of this module; a user's error is told in three lines, as everywhere. */
  static int execute(Object command, String... arguments) {
    return new CommandLine(command)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionExceptionHandler(
            (thrown, _, _) -> {
              if (!(thrown instanceof UserError error)) {
                throw thrown;
              }
              System.err.printf(
                  "%s%n  found: %s%n  fix: %s%n", error.cause(), error.found(), error.fix());
              return error.exitCode();
            })
        .execute(arguments);
  }

  private static List<String> allNames() {
    return Stream.of(
            Timing.ALL.stream().map(Timing::name),
            Sizes.ALL.stream().map(Sizes::name),
            Stream.of(Starts.RECORD, Starts.VERSION))
        .flatMap(stream -> stream)
        .toList();
  }

  @Override
  public Integer call() {
    for (String name : names) {
      if (!allNames().contains(name)) {
        throw new ParameterException(
            spec.commandLine(),
            "there is no benchmark '" + name + "'; there are " + String.join(", ", allNames()));
      }
    }
    int count = repeats.orElse(quick ? QUICK_REPEATS : REPEATS);
    Report report = new Report(new PrintWriter(System.out, true, StandardCharsets.UTF_8));
    List<Row> rows = new ArrayList<>();
    Machine machine = new Machine();
    List<Mpi> mpis = mpis();
    try (Workshop workshop = new Workshop(Path.of(System.getProperty("reprise.root", ".")))) {
      if (format == Format.TEXT) {
        report.titles();
      }
      for (Mpi each : mpis) {
        workshop.build(
            each,
            List.of("self_loop", "receive_benchmark", "big_messages", "testsome_farm", "tsp"));
        measure(
            each,
            count,
            workshop,
            row -> {
              rows.add(row);
              if (format == Format.TEXT) {
                report.row(row);
              }
            });
      }
    }
    if (format == Format.TEXT) {
      report.noise(machine, count);
    } else {
      report.json(rows, mpis, machine, count);
    }
    return 0;
  }

  private List<Mpi> mpis() {
    return mpi
        .map(List::of)
        .orElseGet(() -> Mpi.NAMES.stream().filter(Mpi::isInstalled).toList())
        .stream()
        .map(Mpi::named)
        .toList();
  }

  private void measure(Mpi mpi, int count, Workshop workshop, Consumer<Row> to) {
    Timing.Manner manner = new Timing.Manner(count, quick ? QUICK_DIVISOR : 1, rightOfWay);
    Timing.ALL.stream()
        .filter(timing -> wanted(timing.name()))
        .flatMap(timing -> timing.measure(mpi, manner, workshop).stream())
        .forEach(to);
    Sizes.ALL.stream()
        .filter(sizes -> wanted(sizes.name()))
        .map(sizes -> sizes.measure(mpi, Math.min(count, SIZE_REPEATS), workshop))
        .forEach(to);
    Starts starts = new Starts(mpi, workshop);
    if (wanted(Starts.RECORD)) {
      to.accept(starts.record(count));
    }
    if (wanted(Starts.VERSION)) {
      to.accept(starts.version(count));
    }
  }

  private boolean wanted(String name) {
    return names.isEmpty() || names.contains(name);
  }
}
