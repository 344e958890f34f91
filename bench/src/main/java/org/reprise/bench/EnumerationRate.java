package org.reprise.bench;

import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.reprise.ranks.Enumeration;
import org.reprise.ranks.host.HostedProgram;
import org.reprise.ranks.host.HostedRanks;
import org.reprise.ranks.host.ProgramCommand;
import org.reprise.ranks.host.RankStreams;
import org.reprise.trace.UserError;

/**
 * How many executions a second are enumerated, on one processor, of a program whose ranks can share
 * classes and of one whose ranks cannot. Seconds are those of processor time, the compiler's and
 * the collector's included, so that others on the machine do not change them much.
 */
final class EnumerationRate {
  private static final long WINDOW_NANOS = 500_000_000L;
  private static final int EXECUTIONS = 20;

  private final Workshop workshop;

  EnumerationRate(Workshop workshop) {
    this.workshop = workshop;
  }

  void print(int seconds) {
    pinToOneProcessor();
    System.out.printf(
        Locale.ROOT, "%n%-24s %14s %22s%n", "ENUMERATION", "executions/s", "quartiles");
    for (String program : List.of("SixMessages", "SixMessagesCounted")) {
      Spread rate = Spread.of(rates(program, seconds));
      System.out.printf(
          Locale.ROOT,
          "%-24s %14.0f %10.0f to %8.0f%n",
          program,
          rate.median(),
          rate.lower(),
          rate.upper());
    }
  }

  /** All threads of this process, the compiler's and the collector's, too. */
  private void pinToOneProcessor() {
    List<String> words =
        List.of("taskset", "-a", "-c", "-p", "0", String.valueOf(ProcessHandle.current().pid()));
    Command.run(words, Map.of(), Duration.ofMinutes(1), workshop).outOrThrow(words);
  }

  /** One rate a window of half a second; the first half of all is left out as warm-up. */
  private List<Double> rates(String name, int seconds) {
    Path file = workshop.root().resolve("bench/java/" + name + ".java");
    List<Double> rates = new ArrayList<>();
    try (HostedProgram program =
        HostedProgram.open(
            new ProgramCommand("", file.toString(), List.of(), false), workshop.root())) {
      long half = Duration.ofSeconds(seconds).toNanos() / 2;
      for (long begin = Machine.processorNanos(); Machine.processorNanos() - begin < half; ) {
        rate(program);
      }
      for (long begin = Machine.processorNanos(); Machine.processorNanos() - begin < half; ) {
        rates.add(rate(program));
      }
    }
    return rates;
  }

  private static double rate(HostedProgram program) {
    long from = Machine.processorNanos();
    long executions = 0;
    while (Machine.processorNanos() - from < WINDOW_NANOS) {
      long all =
          Enumeration.explore(
                  Enumeration.Request.of(3),
                  () -> new HostedRanks(program, List.of(), _ -> silence()),
                  _ -> true)
              .executions();
      if (all != EXECUTIONS) {
        throw new UserError(
            "a benchmark went wrong", all + " executions", EXECUTIONS + " were expected");
      }
      executions += all;
    }
    return executions * 1e9 / (Machine.processorNanos() - from);
  }

  private static RankStreams silence() {
    return new RankStreams(
        OutputStream::nullOutputStream,
        OutputStream::nullOutputStream,
        InputStream::nullInputStream,
        StandardCharsets.UTF_8);
  }
}
