package org.reprise.cli.runs;

import java.util.Optional;
import java.util.concurrent.Callable;
import org.reprise.cli.option.Format;
import org.reprise.cli.option.LearnOptions;
import org.reprise.cli.option.RunNames;
import org.reprise.cli.report.BeginningsOfDifference;
import org.reprise.cli.terminal.Json;
import org.reprise.cli.terminal.Session;
import org.reprise.launch.EventLearner;
import org.reprise.trace.order.NumberedOutcome;
import org.reprise.trace.run.OrderPrinter;
import org.reprise.trace.run.RecordedRun;
import org.reprise.trace.run.RunDiff;
import org.reprise.trace.run.RunDiff.RankDiff;
import org.reprise.trace.text.PlainText;
import org.reprise.trace.text.Words;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.core.JsonGenerator;

/** {@code reprise diff}: where two runs part, rank by rank. */
@Command(
    name = "diff",
    mixinStandardHelpOptions = true,
    description = {
      "Shows where two runs part, rank by rank.",
      "Exit status 0 means the same order on all ranks, 1 another one."
    },
    footerHeading = "%nExample:%n",
    footer = "  reprise diff program-1 program-2")
public final class DiffCommand implements Callable<Integer> {
  private static final int DIFFERENT = 1;

  private final Session session;

  @Parameters(
      index = "0",
      paramLabel = "A",
      completionCandidates = RunNames.class,
      description = "A run.")
  private String left;

  @Parameters(
      index = "1",
      paramLabel = "B",
      completionCandidates = RunNames.class,
      description = "Another run.")
  private String right;

  @Mixin private LearnOptions learning;

  @Option(
      names = "--polls",
      description =
          "Count failed polls too: their number differs between almost any two runs, and says "
              + "nothing about messages.")
  private boolean polls;

  @Option(
      names = "--events",
      description =
          "Say also which call the difference began with, and where it is in the source. Runs "
              + "without events are replayed once to learn them.")
  private boolean events;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description = "How to print: ${COMPLETION-CANDIDATES}.")
  private Format format = Format.TEXT;

  public DiffCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    RecordedRun a = RecordedRun.open(session.store().find(Optional.of(left)));
    RecordedRun b = RecordedRun.open(session.store().find(Optional.of(right)));
    String aName = a.directory().name();
    String bName = b.directory().name();
    tellIfDistilled(a);
    tellIfDistilled(b);
    RunDiff diff = RunDiff.between(a, b, !polls);
    // A script gets the lines wherever they are known without a replay.
    boolean known = format == Format.JSON && EventLearner.knows(a) && EventLearner.knows(b);
    Optional<BeginningsOfDifference> beginnings =
        events || (known && a.ranks() == b.ranks())
            ? Optional.of(BeginningsOfDifference.between(a, b, polls, learning, session))
            : Optional.empty();
    if (format == Format.JSON) {
      print(diff, aName, bName, beginnings);
      return diff.isSame() ? 0 : DIFFERENT;
    }
    for (RankDiff rank : diff.ranks()) {
      session.terminal().out().println(line(rank, aName, bName));
    }
    beginnings.ifPresent(found -> found.print(session.terminal().out()));
    if (!diff.isSame()) {
      return DIFFERENT;
    }
    int ranks = diff.ranks().size();
    String all = (ranks == 1 ? "" : "all ") + Words.count(ranks, "rank");
    session.terminal().out().println("same order on " + all);
    return 0;
  }

  private void print(
      RunDiff diff, String a, String b, Optional<BeginningsOfDifference> beginnings) {
    Json.print(
        session.terminal().out(),
        json -> {
          json.writeStartObject();
          json.writeStringProperty("a", a);
          json.writeStringProperty("b", b);
          json.writeBooleanProperty("same", diff.isSame());
          json.writeArrayPropertyStart("ranks");
          diff.ranks().forEach(rank -> write(json, rank));
          json.writeEndArray();
          beginnings.ifPresent(found -> found.write(json, "beginnings"));
          json.writeEndObject();
        });
  }

  private static void write(JsonGenerator json, RankDiff diff) {
    json.writeStartObject();
    json.writeNumberProperty("rank", diff.rank().number());
    switch (diff) {
      case RunDiff.Same(_, long outcomes) -> {
        json.writeStringProperty("is", "same");
        json.writeNumberProperty("outcomes", outcomes);
      }
      case RunDiff.OnlyIn(_, RunDiff.Side side) ->
          json.writeStringProperty("is", side == RunDiff.Side.LEFT ? "only in a" : "only in b");
      case RunDiff.DiffersAt(_, var left, var right) -> {
        json.writeStringProperty("is", "different");
        left.ifPresent(outcome -> write(json, "a", outcome));
        right.ifPresent(outcome -> write(json, "b", outcome));
      }
    }
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, String name, NumberedOutcome outcome) {
    json.writeObjectPropertyStart(name);
    json.writeNumberProperty("outcome", outcome.number());
    json.writeStringProperty("words", OrderPrinter.text(outcome.outcome()));
    json.writeEndObject();
  }

  private void tellIfDistilled(RecordedRun run) {
    run.description()
        .distilledFrom()
        .ifPresent(
            from ->
                session
                    .terminal()
                    .tell(
                        "%s was distilled from %s: what it leaves free is not compared"
                            .formatted(run.directory().name(), PlainText.line(from))));
  }

  private static String line(RankDiff diff, String a, String b) {
    return diff.rank()
        + ": "
        + switch (diff) {
          case RunDiff.Same(_, long outcomes) -> "same, " + Words.count(outcomes, "outcome");
          case RunDiff.OnlyIn(_, RunDiff.Side side) ->
              "only in " + (side == RunDiff.Side.LEFT ? a : b);
          case RunDiff.DiffersAt(_, var left, var right) ->
              "differs\n  " + side(a, left) + "\n  " + side(b, right);
        };
  }

  private static String side(String run, Optional<NumberedOutcome> outcome) {
    return run
        + ": "
        + outcome
            .map(here -> "outcome " + here.number() + ", " + OrderPrinter.text(here.outcome()))
            .orElse("nothing there");
  }
}
