package org.reprise.cli.report;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.reprise.cli.terminal.Json;
import org.reprise.cli.terminal.Terminal;
import org.reprise.findings.Finding;
import org.reprise.findings.Passage;
import org.reprise.findings.Report;
import org.reprise.findings.Rule;
import org.reprise.launch.explore.ExecutionOutcome;
import org.reprise.launch.explore.ExplorationReport;
import org.reprise.launch.explore.Explorer;
import org.reprise.trace.text.ShellWords;
import org.reprise.trace.text.Words;
import picocli.CommandLine.Help.Ansi.Style;
import tools.jackson.core.JsonGenerator;

/** Prints what an exploration found. */
public final class ExplorationText {
  private static final int LINES_MAX = 8;
  private static final int OUTCOMES_MAX = 20;
  private static final double ESTIMATE_MAX = 1e6;

  private final Terminal terminal;
  private final List<String> command;
  private final List<String> judged;
  private final ExplorationReport report;

  /**
   * A text.
   *
   * @param judged the options that say what a failure is, which explaining one needs as well
   */
  public ExplorationText(
      Terminal terminal, List<String> command, List<String> judged, ExplorationReport report) {
    this.terminal = terminal;
    this.command = command;
    this.judged = judged;
    this.report = report;
  }

  /**
   * How far a search is, with an estimate of what is left where it gets fewer: each plan that is
   * open brings a class, each class so many plans, and so on.
   */
  public static String progress(Explorer.Standing standing) {
    double left = standing.open() / (1 - standing.perClass());
    String estimate =
        standing.open() == 0
            ? ""
            : standing.perClass() < 1 && left < ESTIMATE_MAX
                ? " (about " + Words.count(Math.round(left), "execution") + " left)"
                : " (and more to come)";
    return Words.count(standing.executions(), "execution")
        + ", "
        + Words.count(standing.classes(), "order")
        + ", "
        + Words.count(standing.open(), "plan")
        + " open"
        + estimate
        + ", "
        + Words.count(standing.outcomes(), "outcome")
        + (standing.failures() > 0 ? ", " + Words.count(standing.failures(), "failure") : "");
  }

  public void print() {
    PrintWriter out = terminal.out();
    String found =
        Words.count(report.classes(), "order")
            + " of messages, "
            + Words.count(report.outcomes().size(), "outcome");
    out.println(
        terminal.out(Style.bold, found)
            + " ("
            + ShellWords.join(command)
            + ", "
            + Words.count(report.executions(), "execution")
            + ", "
            + report.redundant()
            + " of them redundant, "
            + Words.seconds(report.took())
            + ")");
    out.println(verdict());
    report.outcomes().stream().limit(OUTCOMES_MAX).forEach(this::print);
    if (report.outcomes().size() > OUTCOMES_MAX) {
      out.println();
      out.println("... " + Words.count(report.outcomes().size() - OUTCOMES_MAX, "more outcome"));
    }
  }

  /** What may be said of the orders that were not run. */
  public String verdict() {
    String doubts = report.doubts().isEmpty() ? "" : "; " + String.join("; ", report.doubts());
    String bound =
        report.bound().isPresent()
            ? ", with at most "
                + Words.count(report.bound().getAsInt(), "outcome")
                + " other than in the first run"
            : "";
    if (report.complete()) {
      return "complete: these are all orders in which this input's messages can be received by "
          + Words.count(report.ranks(), "rank")
          + bound
          + doubts;
    }
    String left =
        report.open() > 0
            ? Words.count(report.open(), "plan") + " or more not tried" + bound
            : "nothing is left to try" + bound;
    String goesOn =
        report
            .unfinished()
            .filter(_ -> report.open() > 0)
            .map(
                search ->
                    "; "
                        + ShellWords.join(
                            Stream.concat(
                                    Stream.of("reprise", "explore", "--resume", search.name()),
                                    search.terms().stream())
                                .toList())
                        + " goes on")
            .orElse("");
    return "not complete: " + left + doubts + goesOn;
  }

  private void print(ExplorationReport.Counted counted) {
    ExecutionOutcome outcome = counted.outcome();
    PrintWriter out = terminal.out();
    out.println();
    String head = Words.count(counted.count(), "order") + ": " + outcome.words();
    out.println(
        (outcome.isFailure() ? terminal.out(Style.fg_red, head) : head)
            + counted
                .run()
                .map(run -> ", reprise replay " + run.name())
                .orElse(", not kept (--keep says how many are)"));
    List<String> lines = outcome.text().lines().toList();
    lines.stream().limit(LINES_MAX).forEach(line -> out.println("  " + line));
    if (lines.size() > LINES_MAX) {
      out.println("  ... " + Words.count(lines.size() - LINES_MAX, "more line"));
    }
  }

  /** The failures as findings. */
  public Report report() {
    List<Finding> findings =
        report.outcomes().stream()
            .filter(counted -> counted.outcome().isFailure())
            .map(this::finding)
            .toList();
    return new Report(
        ShellWords.join(command),
        findings,
        0,
        report.doubts(),
        new Report.Verdict(findings.isEmpty() ? "passed" : "failing-orders", verdict(), List.of()));
  }

  private Finding finding(ExplorationReport.Counted counted) {
    ExecutionOutcome outcome = counted.outcome();
    List<String> remarks = new ArrayList<>();
    if (!outcome.text().isEmpty()) {
      remarks.add(
          "It came to: "
              + String.join(" / ", outcome.text().lines().limit(LINES_MAX).toList())
              + ".");
    }
    counted
        .run()
        .ifPresent(
            run ->
                remarks.add(
                    "See it: reprise replay "
                        + run.name()
                        + "; why: reprise explain "
                        + ShellWords.join(
                            Stream.concat(judged.stream(), Stream.of(run.name())).toList())));
    String key = outcome.kind() + " " + outcome.status() + " " + outcome.text();
    return new Finding(
        Rule.FAILING_ORDER,
        "%08x".formatted(key.hashCode()),
        Rule.FAILING_ORDER.title(),
        counted.count(),
        List.of(new Passage("The program " + outcome.words() + ".", List.of())),
        remarks);
  }

  public void printJson() {
    Json.print(terminal.out(), this::write);
  }

  private void write(JsonGenerator json) {
    json.writeStartObject();
    Json.strings(json, "command", command);
    json.writeNumberProperty("ranks", report.ranks());
    json.writeNumberProperty("executions", report.executions());
    json.writeNumberProperty("classes", report.classes());
    json.writeNumberProperty("redundant", report.redundant());
    json.writeNumberProperty("notFollowed", report.notFollowed());
    json.writeNumberProperty("open", report.open());
    json.writeBooleanProperty("complete", report.complete());
    report.bound().ifPresent(bound -> json.writeNumberProperty("bound", bound));
    json.writeStringProperty("verdict", verdict());
    json.writeNumberProperty("seconds", report.took().toMillis() / 1000.0);
    json.writeArrayPropertyStart("outcomes");
    for (ExplorationReport.Counted counted : report.outcomes()) {
      json.writeStartObject();
      json.writeNumberProperty("count", counted.count());
      json.writeStringProperty("kind", Words.word(counted.outcome().kind()));
      json.writeBooleanProperty("failure", counted.outcome().isFailure());
      json.writeNumberProperty("status", counted.outcome().status());
      counted.run().ifPresent(run -> json.writeStringProperty("run", run.name()));
      json.writeNumberProperty("events", counted.events());
      json.writeStringProperty("text", counted.outcome().text());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  /**
   * What a test case is called: the same each time the program is explored, since continuous
   * integration compares by it.
   */
  private static String caseName(ExecutionOutcome outcome) {
    String first = outcome.text().lines().findFirst().orElse("");
    return outcome.words() + (first.isEmpty() ? "" : ": " + first);
  }

  /** The command as an exploration's user typed it. */
  private String explored() {
    boolean ours = command.size() > 1 && command.getFirst().equals("reprise");
    return "reprise explore "
        + ShellWords.join(ours ? command.subList(2, command.size()) : command);
  }

  /** A test case for each outcome, as continuous integration shows them. */
  public void printJunit() {
    PrintWriter out = terminal.out();
    long failures =
        report.outcomes().stream().filter(counted -> counted.outcome().isFailure()).count();
    out.println("<?xml version=\"1.0\" encoding=\"UTF-8\"?>");
    out.printf(
        "<testsuite name=\"%s\" tests=\"%d\" failures=\"%d\" time=\"%.3f\">%n",
        xml(explored()), report.outcomes().size(), failures, report.took().toMillis() / 1000.0);
    Map<String, Integer> names = new HashMap<>();
    for (ExplorationReport.Counted counted : report.outcomes()) {
      ExecutionOutcome outcome = counted.outcome();
      String run = counted.run().map(kept -> ", reprise replay " + kept.name()).orElse("");
      String name = caseName(outcome);
      int again = names.merge(name, 1, Integer::sum);
      out.printf(
          "  <testcase classname=\"reprise.explore\" name=\"%s\">%n",
          xml(again == 1 ? name : name + " (" + again + ")"));
      if (outcome.isFailure()) {
        out.printf(
            "    <failure message=\"%s\">%s</failure>%n",
            xml(Words.count(counted.count(), "order") + " " + outcome.words() + run),
            xml(outcome.text()));
      } else {
        out.printf("    <system-out>%s</system-out>%n", xml(outcome.text()));
      }
      out.println("  </testcase>");
    }
    out.printf("  <system-out>%s</system-out>%n", xml(verdict()));
    out.println("</testsuite>");
  }

  /** Text for XML 1.0, which has no place for control characters. */
  private static String xml(String text) {
    StringBuilder escaped = new StringBuilder();
    text.codePoints()
        .forEach(
            c -> {
              switch (c) {
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '&' -> escaped.append("&amp;");
                case '"' -> escaped.append("&quot;");
                default -> {
                  boolean printable = c >= ' ' || c == '\n' || c == '\t';
                  escaped.appendCodePoint(printable ? c : '?');
                }
              }
            });
    return escaped.toString();
  }
}
