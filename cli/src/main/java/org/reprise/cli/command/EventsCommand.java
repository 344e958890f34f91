package org.reprise.cli.command;

import java.io.BufferedWriter;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.reprise.analysis.RunEvents;
import org.reprise.cli.option.ChosenRun;
import org.reprise.cli.option.Format;
import org.reprise.cli.option.LearnOptions;
import org.reprise.cli.report.EventJson;
import org.reprise.cli.report.EventPrinter;
import org.reprise.cli.report.EventText;
import org.reprise.cli.terminal.Session;
import org.reprise.trace.Rank;
import org.reprise.trace.UserError;
import org.reprise.trace.events.EventReader;
import org.reprise.trace.run.RecordedRun;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code reprise events}: every send, receive, probe, completion and collective of a run. */
@Command(
    name = "events",
    mixinStandardHelpOptions = true,
    description = {
      "Lists every MPI event of a run with its place in the source.",
      "Events are sends, receives, probes, completions, collectives and what makes communicators. "
          + "A run that was recorded without events is replayed once to learn them; they are kept with the run. "
          + "What the program prints in that replay is not shown."
    },
    footerHeading = "%nExample:%n",
    footer = {
      "  reprise events",
      "  reprise events program-3 --rank 0 --from 100 --count 20",
      "  reprise events --stack 8 --format json"
    })
public final class EventsCommand implements Callable<Integer> {
  private static final int BUFFER_CHARS = 1 << 16;
  private static final int ASKED_EACH = 1 << 10;

  private final Session session;

  @Spec private CommandSpec spec;

  @Mixin private ChosenRun run;

  @Mixin private LearnOptions learning;

  @Option(names = "--rank", paramLabel = "R", description = "List the events of this rank only.")
  private Optional<Integer> rank = Optional.empty();

  @Option(
      names = "--from",
      paramLabel = "K",
      description = "Begin each rank's list at number K, counted from 0.")
  private Optional<Long> from = Optional.empty();

  @Option(names = "--count", paramLabel = "N", description = "List N of each rank at most.")
  private Optional<Long> count = Optional.empty();

  @Option(
      names = "--stack",
      paramLabel = "N",
      description = "Learn the events again, with N stack frames each; 1 if not given.")
  private Optional<Integer> stack = Optional.empty();

  @Option(
      names = "--jitter",
      paramLabel = "SEED",
      description = "Delay ranks at random in the replay: the events must be the same.")
  private Optional<Long> jitter = Optional.empty();

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description = "How to print: ${COMPLETION-CANDIDATES}.")
  private Format format = Format.TEXT;

  public EventsCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    requireNotNegative("--from", from);
    requireNotNegative("--count", count);
    if (stack.orElse(1) < 1 || stack.orElse(1) > RecordCommand.FRAMES_MAX) {
      throw new ParameterException(
          spec.commandLine(), "--stack must be from 1 to " + RecordCommand.FRAMES_MAX);
    }
    RecordedRun recorded = RecordedRun.open(run.in(session));
    int status = learning.learn(recorded, stack, jitter, session);
    list(recorded, session.events(recorded));
    return status;
  }

  private void requireNotNegative(String option, Optional<Long> value) {
    if (value.orElse(0L) < 0) {
      throw new ParameterException(spec.commandLine(), option + " must not be negative");
    }
  }

  private void list(RecordedRun recorded, RunEvents known) {
    // Written line by line, a long list would take as long for that as for all else.
    PrintWriter out = new PrintWriter(new BufferedWriter(session.terminal().out(), BUFFER_CHARS));
    EventPrinter printer =
        format == Format.JSON ? new EventJson(out, known) : new EventText(out, known);
    for (Rank of : ranks(recorded, known)) {
      printer.begin(of);
      try (EventReader events = recorded.directory().openEvents(of)) {
        long end = from.orElse(0L) + count.orElse(Long.MAX_VALUE / 2);
        while (events.advance() && events.number() < end && !isDone(events.number(), out)) {
          if (events.number() >= from.orElse(0L)) {
            printer.print(events);
          }
        }
      }
    }
    printer.end();
    out.flush();
  }

  /** Whether nobody reads any more (| head); asked now and then. */
  private boolean isDone(long number, PrintWriter out) {
    if (number % ASKED_EACH != 0) {
      return false;
    }
    out.flush();
    return session.terminal().out().checkError();
  }

  /** The rank asked for, or all that have events. */
  private List<Rank> ranks(RecordedRun recorded, RunEvents known) {
    List<Rank> present = known.ranks();
    if (rank.isEmpty()) {
      return present;
    }
    Rank wanted = new Rank(rank.get());
    if (!present.contains(wanted)) {
      throw new UserError(
          wanted + " left no events in " + recorded.directory().name(),
          "there are those of " + present,
          "give one of these");
    }
    return List.of(wanted);
  }
}
