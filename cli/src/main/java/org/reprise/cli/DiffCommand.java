package org.reprise.cli;

import java.util.Optional;
import java.util.concurrent.Callable;
import org.reprise.trace.NumberedOutcome;
import org.reprise.trace.OrderPrinter;
import org.reprise.trace.RecordedRun;
import org.reprise.trace.RunDiff;
import org.reprise.trace.RunDiff.RankDiff;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

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
final class DiffCommand implements Callable<Integer> {
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

  DiffCommand(Session session) {
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
    for (RankDiff rank : diff.ranks()) {
      session.terminal().out().println(line(rank, aName, bName));
    }
    if (events) {
      BeginningsOfDifference.print(a, b, polls, session);
    }
    if (!diff.isSame()) {
      return DIFFERENT;
    }
    int ranks = diff.ranks().size();
    String all = (ranks == 1 ? "" : "all ") + Words.count(ranks, "rank");
    session.terminal().out().println("same order on " + all);
    return 0;
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
                            .formatted(run.directory().name(), ShellWords.escape(from))));
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
