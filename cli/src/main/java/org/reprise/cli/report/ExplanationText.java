package org.reprise.cli.report;

import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import org.reprise.analysis.FailureStory;
import org.reprise.cli.terminal.Json;
import org.reprise.cli.terminal.Table;
import org.reprise.cli.terminal.Terminal;
import org.reprise.findings.Report;
import org.reprise.launch.explore.Explanation;
import org.reprise.trace.text.Words;
import picocli.CommandLine.Help.Ansi.Style;
import tools.jackson.core.JsonGenerator;

/** Prints why a run fails: a story of a screen, or the same for scripts. */
public final class ExplanationText {
  private static final int ROWS_MAX = 16;
  private static final int LINES_MAX = 6;

  private final Terminal terminal;
  private final String failing;
  private final Optional<String> passing;
  private final Explanation explanation;
  private final FailureStory story;

  /**
   * A text.
   *
   * @param failing the name of the failing run
   * @param passing that of the run it is compared with
   */
  public ExplanationText(
      Terminal terminal,
      String failing,
      Optional<String> passing,
      Explanation explanation,
      FailureStory story) {
    this.terminal = terminal;
    this.failing = failing;
    this.passing = passing;
    this.explanation = explanation;
    this.story = story;
  }

  public void print() {
    PrintWriter out = terminal.out();
    out.println(
        terminal.out(Style.bold, failing + " " + explanation.failing().outcome().words())
            + ". "
            + story.headline(passing.isPresent()));
    printOutcome(out);
    if (!story.rows().isEmpty()) {
      out.println();
      table().lines(terminal.outColumns().get()).forEach(out::println);
      if (story.rows().size() > ROWS_MAX) {
        out.println("... " + Words.count(story.rows().size() - ROWS_MAX, "more choice"));
      }
    }
    out.println();
    out.println(evidence());
    passing.ifPresent(
        run -> out.println("see both: reprise replay " + failing + ", reprise replay " + run));
  }

  private void printOutcome(PrintWriter out) {
    List<String> lines = explanation.failing().outcome().text().lines().toList();
    if (!lines.isEmpty()) {
      out.println("Then it prints:");
      lines.stream().limit(LINES_MAX).forEach(line -> out.println("  " + line));
      if (lines.size() > LINES_MAX) {
        out.println("  ... " + Words.count(lines.size() - LINES_MAX, "more line"));
      }
    }
  }

  private Table table() {
    Table table =
        new Table(List.of("", "event", "call", failing, passing.orElse("(no passing run)")));
    for (FailureStory.Choice row : story.rows().stream().limit(ROWS_MAX).toList()) {
      table.add(
          List.of(
              story.cause().contains(row) ? "*" : story.beginning().contains(row) ? "+" : "",
              row.rank() + ":" + row.event(),
              row.call() + (row.place().isEmpty() ? "" : " " + row.place()),
              got(row.failing()),
              got(row.passing())));
    }
    return table;
  }

  private static String got(Optional<FailureStory.Got> got) {
    return got.map(it -> "from " + it.source() + ", tag " + it.tag()).orElse("-");
  }

  /** What it rests on. */
  private String evidence() {
    String marks =
        story.rows().isEmpty()
            ? ""
            : "* makes it fail, + is needed to come there: behind "
                + (story.beginning().size() == 1
                    ? "this choice"
                    : "these " + Words.count(story.beginning().size(), "choice"))
                + " every run failed. ";
    return marks
        + "Seen in "
        + Words.count(explanation.runs(), "run")
        + ": "
        + Words.count(explanation.failures(), "order")
        + " failed, "
        + explanation.passes()
        + " passed"
        + (explanation.shown()
            ? ": no other order passes with it."
            : "; more are left than --max and --time allow, so it may need more than this to"
                + " fail.");
  }

  /** The same as a report of findings. */
  public Report report() {
    return story.report(
        failing, explanation.failing().outcome().words(), passing.isPresent(), List.of(evidence()));
  }

  public void printJson() {
    Json.print(terminal.out(), this::write);
  }

  private void write(JsonGenerator json) {
    json.writeStartObject();
    json.writeStringProperty("failing", failing);
    passing.ifPresent(run -> json.writeStringProperty("passing", run));
    json.writeStringProperty("kind", Words.word(explanation.failing().outcome().kind()));
    json.writeStringProperty("text", explanation.failing().outcome().text());
    json.writeStringProperty("headline", story.headline(passing.isPresent()));
    json.writeBooleanProperty("shown", explanation.shown());
    json.writeNumberProperty("runs", explanation.runs());
    json.writeNumberProperty("failures", explanation.failures());
    json.writeNumberProperty("passes", explanation.passes());
    write(json, "cause", story.cause());
    write(json, "beginning", story.beginning());
    write(json, "choices", story.rows());
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, String name, List<FailureStory.Choice> choices) {
    json.writeArrayPropertyStart(name);
    for (FailureStory.Choice choice : choices) {
      json.writeStartObject();
      json.writeNumberProperty("rank", choice.rank());
      json.writeNumberProperty("event", choice.event());
      json.writeStringProperty("call", choice.call());
      json.writeStringProperty("place", choice.place());
      write(json, "failing", choice.failing());
      write(json, "passing", choice.passing());
      choice.moved().ifPresent(moved -> json.writeNumberProperty("moved", moved));
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void write(JsonGenerator json, String name, Optional<FailureStory.Got> got) {
    if (got.isPresent()) {
      json.writeObjectPropertyStart(name);
      json.writeNumberProperty("source", got.get().source());
      json.writeNumberProperty("tag", got.get().tag());
      json.writeEndObject();
    }
  }
}
