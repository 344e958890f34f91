package org.reprise.bench;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** What the commands themselves take: the start of Reprise, and what a recording adds to a job. */
final class Starts {
  static final String VERSION = "start";
  static final String RECORD = "record-adds";
  private static final double RECORD_TARGET_SECONDS = 0.6;
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final int RANKS = 2;

  private final Mpi mpi;
  private final Workshop workshop;
  private final String reprise;

  Starts(Mpi mpi, Workshop workshop) {
    this.mpi = mpi;
    this.workshop = workshop;
    this.reprise = workshop.root().resolve("reprise").toString();
  }

  /** {@code ./reprise --version}. */
  Row version(int repeats) {
    List<Double> seconds = new ArrayList<>();
    for (int i = -1; i < repeats; i++) {
      double taken = seconds(List.of(reprise, "--version"), Map.of());
      if (i >= 0) {
        seconds.add(taken);
      }
    }
    return row(VERSION, "--version", seconds, OptionalDouble.empty(), OptionalDouble.empty());
  }

  /** {@code ./reprise record mpirun -n 2 ./hello}, less {@code mpirun -n 2 ./hello}. */
  Row record(int repeats) {
    List<Double> plain = new ArrayList<>();
    List<Double> added = new ArrayList<>();
    List<String> hello = mpi.command(RANKS, workshop.program(mpi, "hello"), List.of());
    List<String> recorded = new ArrayList<>(List.of(reprise, "record"));
    recorded.addAll(hello);
    Path home = workshop.freshDirectory("home");
    Map<String, String> environment = new HashMap<>(mpi.environment(RANKS));
    environment.put("REPRISE_HOME", home.toString());
    for (int i = -1; i < repeats; i++) {
      double alone = seconds(hello, environment);
      double taken = seconds(recorded, environment);
      if (i >= 0) {
        plain.add(alone);
        added.add(taken - alone);
      }
    }
    Workshop.remove(home);
    return row(
        RECORD,
        "record",
        added,
        OptionalDouble.of(Spread.of(plain).median()),
        OptionalDouble.of(RECORD_TARGET_SECONDS));
  }

  private Row row(
      String name, String side, List<Double> seconds, OptionalDouble plain, OptionalDouble target) {
    return new Row(
        mpi.name(),
        name,
        side,
        Row.Unit.SECONDS,
        Spread.of(seconds),
        OptionalDouble.empty(),
        plain,
        target);
  }

  private double seconds(List<String> words, Map<String, String> environment) {
    Command.Result result = Command.run(words, environment, LIMIT, workshop);
    result.outOrThrow(words);
    return result.seconds();
  }
}
