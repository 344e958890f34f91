package org.reprise.cli.runs;

import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.reprise.cli.option.ChosenRun;
import org.reprise.cli.option.Format;
import org.reprise.cli.report.InputText;
import org.reprise.cli.report.RunReport;
import org.reprise.cli.report.RunReportJson;
import org.reprise.cli.report.RunReportText;
import org.reprise.cli.terminal.Json;
import org.reprise.cli.terminal.Session;
import org.reprise.trace.Rank;
import org.reprise.trace.UserError;
import org.reprise.trace.inputs.InputsReader;
import org.reprise.trace.order.NumberedOutcome;
import org.reprise.trace.order.OrderReader;
import org.reprise.trace.run.OrderPrinter;
import org.reprise.trace.run.RecordedRun;
import org.reprise.trace.run.RunDirectory;
import org.reprise.trace.text.Words;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code reprise show}: what a run was, in numbers or outcome by outcome. */
@Command(
    name = "show",
    aliases = "info",
    mixinStandardHelpOptions = true,
    description = {
      "Shows what was run and what each rank did, in numbers.",
      "With --rank it lists what was recorded of that rank instead, one outcome a line: the rank, "
          + "the outcome's number, its kind and its operands."
    },
    footerHeading = "%nExample:%n",
    footer = {
      "  reprise show",
      "  reprise show program-3 --rank 0 --from 100 --count 20",
      "  reprise show program-3 --inputs --rank 2"
    })
public final class ShowCommand implements Callable<Integer> {
  private final Session session;

  @Spec private CommandSpec spec;

  @Mixin private ChosenRun run;

  @Option(names = "--rank", paramLabel = "R", description = "List what was recorded of this rank.")
  private Optional<Integer> rank = Optional.empty();

  @Option(
      names = "--from",
      paramLabel = "K",
      description = "Begin the list at number K, counted from 0.")
  private Optional<Long> from = Optional.empty();

  @Option(names = "--count", paramLabel = "N", description = "List N of them at most.")
  private Optional<Long> count = Optional.empty();

  @Option(
      names = "--inputs",
      description = "List what the ranks read from clocks and random sources.")
  private boolean inputs;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "text",
      description = "How to print: ${COMPLETION-CANDIDATES}.")
  private Format format = Format.TEXT;

  public ShowCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    requireSense();
    RunDirectory directory = run.in(session);
    if (inputs) {
      listInputs(RecordedRun.open(directory));
    } else if (rank.isPresent()) {
      listOutcomes(RecordedRun.open(directory));
    } else {
      RunReport report = RunReport.of(directory);
      switch (format) {
        case JSON ->
            Json.print(session.terminal().out(), json -> RunReportJson.write(json, report));
        case TEXT -> new RunReportText(session, report).print();
      }
      return report.exitStatus();
    }
    return 0;
  }

  private void requireSense() {
    if (rank.isEmpty() && !inputs && (from.isPresent() || count.isPresent())) {
      throw new ParameterException(
          spec.commandLine(), "--from and --count need --rank or --inputs");
    }
    if (rank.orElse(0) < 0 || from.orElse(0L) < 0 || count.orElse(0L) < 0) {
      throw new ParameterException(
          spec.commandLine(), "--rank, --from and --count are not negative");
    }
  }

  private void listOutcomes(RecordedRun recorded) {
    Rank wanted = ranks(recorded).getFirst();
    PrintWriter out = session.terminal().out();
    try (OrderReader order = recorded.directory().openOrder(wanted)) {
      if (format == Format.TEXT) {
        forEachWanted(order, out, next -> out.println(OrderPrinter.line(wanted, next)));
        return;
      }
      Json.print(
          out,
          json -> {
            json.writeStartArray();
            forEachWanted(
                order,
                out,
                next -> {
                  json.writeStartObject();
                  json.writeNumberProperty("rank", wanted.number());
                  json.writeNumberProperty("number", next.number());
                  json.writeStringProperty("kind", Words.word(next.outcome().kind()));
                  json.writeStringProperty("text", OrderPrinter.text(next.outcome()));
                  json.writeEndObject();
                });
            json.writeEndArray();
          });
    }
  }

  private void forEachWanted(
      OrderReader order, PrintWriter out, java.util.function.Consumer<NumberedOutcome> taken) {
    long first = from.orElse(0L);
    long left = count.orElse(Long.MAX_VALUE);
    // A reader that has seen enough (| head) closes the pipe: no need to go on to the end.
    while (order.hasNext() && left > 0 && !out.checkError()) {
      NumberedOutcome next = order.next();
      if (next.number() >= first) {
        taken.accept(next);
        left--;
      }
    }
  }

  private void listInputs(RecordedRun recorded) {
    PrintWriter out = session.terminal().out();
    switch (format) {
      case TEXT ->
          forEachInput(
              recorded,
              out,
              (of, number, text) -> out.println(of.number() + " " + number + " " + text));
      case JSON ->
          Json.print(
              out,
              json -> {
                json.writeStartArray();
                forEachInput(
                    recorded,
                    out,
                    (of, number, text) -> {
                      json.writeStartObject();
                      json.writeNumberProperty("rank", of.number());
                      json.writeNumberProperty("number", number);
                      json.writeStringProperty("text", text);
                      json.writeEndObject();
                    });
                json.writeEndArray();
              });
    }
  }

  /** Gets one input after the other. */
  private interface InputSink {
    void take(Rank of, long number, String text);
  }

  private void forEachInput(RecordedRun recorded, PrintWriter out, InputSink sink) {
    for (Rank of : ranks(recorded)) {
      try (InputsReader reader = recorded.directory().openInputs(of).orElse(null)) {
        if (reader == null) {
          continue;
        }
        long end = from.orElse(0L) + count.orElse(Long.MAX_VALUE / 2);
        for (long number = 0; reader.hasNext() && number < end && !out.checkError(); number++) {
          String text = InputText.of(reader.next());
          if (number >= from.orElse(0L)) {
            sink.take(of, number, text);
          }
        }
      }
    }
  }

  /** The rank asked for, or all. */
  private List<Rank> ranks(RecordedRun recorded) {
    if (rank.isEmpty()) {
      return recorded.ranksPresent();
    }
    Rank wanted = new Rank(rank.get());
    if (!recorded.headers().containsKey(wanted)) {
      throw new UserError(
          wanted + " left nothing in " + recorded.directory().name(),
          "there are " + recorded.ranksPresent(),
          "give one of these");
    }
    return List.of(wanted);
  }
}
