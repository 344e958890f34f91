package org.reprise.bench;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.reprise.launch.mpi.UncopiedSends;
import org.reprise.launch.verdict.StallWatch;
import org.reprise.trace.Rank;
import org.reprise.trace.UserError;
import org.reprise.trace.file.RankHeader;
import org.reprise.trace.file.Wire;
import org.reprise.trace.run.RunDirectory;

/**
 * A program that times its own loop, run plainly, recorded, recorded with events and replayed in
 * turn, so that whatever slows the machine for a while slows all of them. It is started with the
 * interposer directly: measured is what happens in the ranks, not the command around them.
 *
 * @param words of the program: itself and its arguments, N standing for the number of rounds
 * @param inputs whether clocks are recorded; where they are, a replay's clock is the recorded one,
 *     and the program must time itself otherwise
 */
record Timing(
    String name,
    int ranks,
    List<String> words,
    long rounds,
    boolean inputs,
    OptionalDouble recordTarget,
    OptionalDouble replayTarget,
    OptionalDouble eventsTarget) {
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final Pattern ELAPSED = Pattern.compile("elapsed = ([0-9.]+)");

  static final List<Timing> ALL =
      List.of(
          of("self-loop", 1, 3_000_000, List.of("self_loop", "N"), 1.10, 1.6, 1.5),
          of("receive", 2, 600_000, List.of("receive_benchmark", "N", "4"), 1.05, 1.3, 1.15),
          of("big-messages", 2, 40_000, List.of("big_messages", "N"), 1.02, 1.3, 1.05),
          of("written-messages", 2, 40_000, List.of("big_messages", "N", "written"), 1.02, 1.3, 0),
          of("testsome", 2, 100_000, List.of("testsome_farm", "N", "64", "2000"), 1.05, 1.3, 0),
          of("testsome-idle", 2, 400_000, List.of("testsome_farm", "N"), 0, 0, 0),
          inputs("inputs-wtime", List.of("clock_loop", "wtime", "N")),
          inputs("inputs-clock", List.of("clock_loop", "clock", "N")));

  private static Timing of(
      String name,
      int ranks,
      long rounds,
      List<String> words,
      double record,
      double replay,
      double events) {
    return new Timing(
        name, ranks, words, rounds, false, target(record), target(replay), target(events));
  }

  private static OptionalDouble target(double ratio) {
    return ratio == 0 ? OptionalDouble.empty() : OptionalDouble.of(ratio);
  }

  private static Timing inputs(String name, List<String> words) {
    return new Timing(
        name,
        1,
        words,
        5_000_000,
        true,
        OptionalDouble.empty(),
        OptionalDouble.empty(),
        OptionalDouble.empty());
  }

  /** How a benchmark is run: how often, with which part of its rounds, and before others or not. */
  record Manner(int repeats, int divisor, boolean rightOfWay) {}

  List<Row> measure(Mpi mpi, Manner manner, Workshop workshop) {
    List<Double> plain = new ArrayList<>();
    List<Double> record = new ArrayList<>();
    List<Double> replay = new ArrayList<>();
    List<Double> events = new ArrayList<>();
    for (int i = -1; i < manner.repeats(); i++) {
      Path run = workshop.freshDirectory("run");
      Path scratch = workshop.freshDirectory("scratch");
      double alone = elapsed(mpi, manner, Map.of(), workshop);
      double recorded =
          elapsed(
              mpi,
              manner,
              Map.of("REPRISE_MODE", "record", "REPRISE_RUN", run.toString()),
              workshop);
      double replayed = elapsed(mpi, manner, replay(run, scratch), workshop);
      requireSameOrder(run, scratch);
      Path full = workshop.freshDirectory("full");
      double withEvents =
          elapsed(
              mpi,
              manner,
              Map.of(
                  "REPRISE_MODE", "record", "REPRISE_RUN", full.toString(), "REPRISE_EVENTS", "1"),
              workshop);
      Workshop.remove(full);
      Workshop.remove(run);
      Workshop.remove(scratch);
      if (i >= 0) { // the first round warms caches and is not counted
        plain.add(alone);
        record.add(recorded);
        replay.add(replayed);
        events.add(withEvents);
      }
    }
    return List.of(
        row(mpi, "record", record, plain, recordTarget),
        row(mpi, "replay", replay, plain, replayTarget),
        row(mpi, "events", events, plain, eventsTarget));
  }

  private Row row(
      Mpi mpi, String side, List<Double> times, List<Double> plain, OptionalDouble target) {
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < times.size(); i++) {
      ratios.add(times.get(i) / plain.get(i));
    }
    return new Row(
        mpi.name(),
        name,
        side,
        Row.Unit.RATIO,
        Spread.of(ratios),
        OptionalDouble.of(Spread.of(times).least() / Spread.of(plain).least()),
        OptionalDouble.of(Spread.of(plain).median()),
        target);
  }

  private double elapsed(Mpi mpi, Manner manner, Map<String, String> mode, Workshop workshop) {
    List<String> arguments =
        words.stream()
            .skip(1)
            .map(word -> word.equals("N") ? String.valueOf(rounds / manner.divisor()) : word)
            .toList();
    Path program = workshop.program(mpi, words.getFirst());
    List<String> command =
        manner.rightOfWay()
            ? mpi.commandWithRightOfWay(ranks, program, arguments)
            : mpi.command(ranks, program, arguments);
    Map<String, String> environment = new HashMap<>(mpi.environment(ranks));
    if (!mode.isEmpty()) {
      environment.putAll(mode);
      boolean events = mode.containsKey("REPRISE_EVENTS");
      environment.put(
          "LD_PRELOAD", (events ? mpi.eventsLibrary() + ":" : "") + mpi.library().toString());
      if (!inputs) {
        environment.put("REPRISE_INPUTS", "off");
      }
    }
    String out = Command.run(command, environment, LIMIT, workshop).outOrThrow(command);
    Matcher matcher = ELAPSED.matcher(out);
    if (!matcher.find()) {
      throw new UserError(
          "a measured program did not say how long it took",
          String.join(" ", command) + "\n" + out,
          "run it by hand");
    }
    return Double.parseDouble(matcher.group(1));
  }

  /** What {@code reprise replay} gives the ranks. */
  private Map<String, String> replay(Path run, Path scratch) {
    Map<String, String> variables = new HashMap<>();
    variables.put(Wire.ENV_MODE, Wire.Mode.REPLAY.word());
    variables.put(Wire.ENV_PLAN, run.toString());
    variables.put(Wire.ENV_RUN, scratch.toString());
    UncopiedSends.from(StallWatch.headers(new RunDirectory(run)).values(), ranks)
        .ifPresent(bytes -> variables.put(Wire.ENV_UNCOPIED, Long.toString(bytes)));
    return variables;
  }

  /** A replay that went its own way took the time of another run. */
  private void requireSameOrder(Path run, Path scratch) {
    RunDirectory then = new RunDirectory(run);
    RunDirectory now = new RunDirectory(scratch);
    for (int i = 0; i < ranks; i++) {
      RankHeader recorded = then.header(new Rank(i));
      RankHeader replayed = now.header(new Rank(i));
      if (replayed.divergence().isPresent()
          || replayed.state() != Wire.State.FINALIZED
          || replayed.orderHash() != recorded.orderHash()) {
        throw new UserError(
            "a measured replay of " + name + " did not do what was recorded",
            "rank " + i + ": " + replayed.divergence(),
            "record and replay " + String.join(" ", words) + " by hand");
      }
    }
  }
}
