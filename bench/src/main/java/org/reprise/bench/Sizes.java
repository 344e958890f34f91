package org.reprise.bench;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.reprise.trace.Rank;
import org.reprise.trace.file.HeaderField;
import org.reprise.trace.file.RankHeader;
import org.reprise.trace.order.NumberedOutcome;
import org.reprise.trace.order.OrderReader;
import org.reprise.trace.order.Outcome;
import org.reprise.trace.run.RunDirectory;

/**
 * How many bytes of a recording belong to what the program did.
 *
 * @param counted whose bytes are counted, and per how many of what
 */
record Sizes(String name, int ranks, List<String> words, Counted counted, double target) {
  private static final Duration LIMIT = Duration.ofMinutes(3);

  /** What a size is divided by. */
  enum Counted {
    /** All bytes, over receives. Every receive of the program has a wildcard. */
    WILDCARD_RECEIVE,
    /** All bytes but checks, over receives. No receive of the program has a wildcard. */
    NAMED_RECEIVE,
    /** Bytes of counts of failed polls, over failed polls. */
    FAILED_POLL
  }

  static final List<Sizes> ALL =
      List.of(
          new Sizes(
              "bytes-wildcard-receive",
              2,
              List.of("receive_benchmark", "100000", "4"),
              Counted.WILDCARD_RECEIVE,
              2),
          new Sizes(
              "bytes-named-receive",
              2,
              List.of("named_receives", "100000"),
              Counted.NAMED_RECEIVE,
              0),
          new Sizes("bytes-failed-poll", 2, List.of("tsp", "20"), Counted.FAILED_POLL, 0.01));

  Row measure(Mpi mpi, int repeats, Workshop workshop) {
    List<Double> sizes = new ArrayList<>();
    for (int i = 0; i < repeats; i++) {
      Path run = workshop.freshDirectory("run");
      List<String> command =
          mpi.command(
              ranks, workshop.program(mpi, words.getFirst()), words.subList(1, words.size()));
      Map<String, String> environment = new HashMap<>(mpi.environment(ranks));
      environment.putAll(
          Map.of(
              "LD_PRELOAD",
              mpi.library().toString(),
              "REPRISE_MODE",
              "record",
              "REPRISE_RUN",
              run.toString(),
              "REPRISE_INPUTS",
              "off"));
      Command.run(command, environment, LIMIT, workshop).outOrThrow(command);
      sizes.add(size(new RunDirectory(run)));
      Workshop.remove(run);
    }
    return new Row(
        mpi.name(),
        name,
        "record",
        Row.Unit.BYTES,
        Spread.of(sizes),
        OptionalDouble.empty(),
        OptionalDouble.empty(),
        OptionalDouble.of(target));
  }

  private double size(RunDirectory run) {
    double bytes = 0;
    double things = 0;
    for (Rank rank : run.ranks()) {
      RankHeader header = run.header(rank);
      things +=
          header.get(
              counted == Counted.FAILED_POLL
                  ? HeaderField.POLLS_FAILED_TOTAL
                  : HeaderField.RECEIVES);
      bytes += bytes(run, rank);
    }
    return bytes / things;
  }

  private double bytes(RunDirectory run, Rank rank) {
    double bytes = 0;
    try (OrderReader order = run.openOrder(rank)) {
      NumberedOutcome last = null;
      while (order.hasNext()) {
        NumberedOutcome next = order.next();
        if (last != null && counts(last.outcome())) {
          bytes += next.offset() - last.offset();
        }
        last = next;
      }
      if (last != null && counts(last.outcome())) {
        bytes += end(order) - last.offset();
      }
    }
    return bytes;
  }

  private static double end(OrderReader order) {
    return order.header().get(HeaderField.HEADER_BYTES) + order.header().committed();
  }

  private boolean counts(Outcome outcome) {
    return switch (counted) {
      case WILDCARD_RECEIVE -> true;
      case NAMED_RECEIVE -> !(outcome instanceof Outcome.Check);
      case FAILED_POLL -> outcome instanceof Outcome.FailedPolls;
    };
  }
}
