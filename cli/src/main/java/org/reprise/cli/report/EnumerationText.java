package org.reprise.cli.report;

import java.util.ArrayList;
import java.util.List;
import org.reprise.analysis.Claims;
import org.reprise.cli.terminal.Json;
import org.reprise.cli.terminal.Terminal;
import org.reprise.launch.embedded.EmbeddedCommand;
import org.reprise.launch.embedded.EnumerationReport;
import org.reprise.launch.embedded.ProgramOutcome;
import org.reprise.trace.text.Words;
import picocli.CommandLine.Help.Ansi.Style;
import tools.jackson.core.JsonGenerator;

/** What {@code reprise enumerate} found, for people and for scripts. */
public final class EnumerationText {
  /** Of an outcome's text; the run has the rest. */
  private static final int LINES_MAX = 12;

  private final Terminal terminal;
  private final EmbeddedCommand command;
  private final EnumerationReport enumeration;

  public EnumerationText(
      Terminal terminal, EmbeddedCommand command, EnumerationReport enumeration) {
    this.terminal = terminal;
    this.command = command;
    this.enumeration = enumeration;
  }

  public void print() {
    int outcomes = enumeration.outcomes().size();
    List<String> more = Claims.reasonsForMore(enumeration);
    String found =
        Words.count(enumeration.executions(), "execution")
            + ", "
            + Words.count(outcomes, "outcome")
            + (more.isEmpty() ? "" : " so far: " + String.join("; ", more));
    terminal
        .out()
        .println(
            terminal.out(Style.bold, found)
                + " ("
                + command.program().name()
                + ", "
                + Words.count(command.ranks(), "rank")
                + ", "
                + Words.seconds(enumeration.took())
                + ")");
    enumeration
        .ownClasses()
        .ifPresent(
            reason ->
                terminal.out().println("each execution loaded classes anew, because of " + reason));
    enumeration.outcomes().forEach(this::print);
  }

  private void print(EnumerationReport.Counted counted) {
    ProgramOutcome outcome = counted.outcome();
    String head =
        Words.count(counted.count(), "execution")
            + ": "
            + Words.word(outcome.kind())
            + (outcome.status() == 0 ? "" : ", exit status " + outcome.status());
    String kept =
        counted
            .run()
            .map(run -> ", reprise replay " + run.name())
            .orElse(", not kept (--keep says how many are)");
    terminal.out().println();
    terminal.out().println(head + kept);
    List<String> lines = lines(outcome);
    lines.stream().limit(LINES_MAX).forEach(line -> terminal.out().println("  " + line));
    if (lines.size() > LINES_MAX) {
      terminal.out().println("  ... " + Words.count(lines.size() - LINES_MAX, "more line"));
    }
  }

  private static List<String> lines(ProgramOutcome outcome) {
    List<String> lines = new ArrayList<>();
    for (ProgramOutcome.Printed printed : outcome.printed()) {
      String mark = "[" + printed.rank() + "] ";
      printed.out().lines().forEach(line -> lines.add(mark + line));
      printed.err().lines().forEach(line -> lines.add(mark + line));
    }
    outcome.trouble().forEach(text -> text.lines().forEach(lines::add));
    outcome.warnings().forEach(warning -> lines.add("warning: " + warning));
    return lines;
  }

  public void printJson() {
    Json.print(terminal.out(), this::write);
  }

  private void write(JsonGenerator json) {
    json.writeStartObject();
    Json.strings(json, "program", command.program().words());
    json.writeNumberProperty("ranks", command.ranks());
    json.writeBooleanProperty("syncSends", command.syncSends());
    json.writeNumberProperty("executions", enumeration.runs());
    json.writeNumberProperty("classes", enumeration.executions());
    json.writeNumberProperty("redundant", enumeration.redundant());
    json.writeBooleanProperty("complete", Claims.reasonsForMore(enumeration).isEmpty());
    json.writeBooleanProperty("heldPolls", enumeration.heldPolls());
    json.writeNumberProperty("seconds", enumeration.took().toMillis() / 1000.0);
    json.writeBooleanProperty("sharedClasses", enumeration.ownClasses().isEmpty());
    json.writeArrayPropertyStart("outcomes");
    enumeration.outcomes().forEach(counted -> write(json, counted));
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, EnumerationReport.Counted counted) {
    ProgramOutcome outcome = counted.outcome();
    json.writeStartObject();
    json.writeNumberProperty("count", counted.count());
    json.writeStringProperty("kind", Words.word(outcome.kind()));
    json.writeBooleanProperty("failure", outcome.isFailure());
    json.writeNumberProperty("status", outcome.status());
    counted.run().ifPresent(run -> json.writeStringProperty("run", run.name()));
    json.writeArrayPropertyStart("printed");
    for (ProgramOutcome.Printed printed : outcome.printed()) {
      json.writeStartObject();
      json.writeNumberProperty("rank", printed.rank());
      json.writeStringProperty("out", printed.out());
      json.writeStringProperty("err", printed.err());
      json.writeEndObject();
    }
    json.writeEndArray();
    Json.strings(json, "trouble", outcome.trouble());
    Json.strings(json, "warnings", outcome.warnings());
    json.writeEndObject();
  }
}
