package org.reprise.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.reprise.launch.AnomalyReport;
import org.reprise.launch.AnomalyReport.End;
import org.reprise.launch.AnomalyReport.Finding;
import org.reprise.launch.CheckedRun;
import tools.jackson.core.JsonGenerator;

/** What {@code check} found, over all virtual machines that the command started. */
final class CheckReport {
  /** As classes without the names of local variables have it. */
  private static final Pattern WITHOUT_NAME = Pattern.compile("^(parameter|local) \\d+ of ");

  private static final String NO_REPORT =
      "no virtual machine reported; it was killed, or the command starts none";

  private final CheckedRun run;

  CheckReport(CheckedRun run) {
    this.run = run;
  }

  boolean hasAnomalies() {
    return !all(AnomalyReport::anomalies).isEmpty();
  }

  /** A program that failed has not done all that it does on this input. */
  boolean isValidated() {
    return run.exitStatus() == 0
        && !run.reports().isEmpty()
        && run.reports().stream().allMatch(report -> report.verdict().equals("validated"));
  }

  private <T> List<T> all(Function<AnomalyReport, List<T>> part) {
    return run.reports().stream().flatMap(report -> part.apply(report).stream()).toList();
  }

  /** Findings, obstacles, and at the end the verdict. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    all(AnomalyReport::anomalies).forEach(finding -> describe(finding, lines));
    all(AnomalyReport::lockOrdered).forEach(finding -> describe(finding, lines));
    List<String> obstacles = all(AnomalyReport::obstacles);
    obstacles.forEach(obstacle -> lines.add("in the way: " + obstacle));
    boolean isTold = obstacles.stream().anyMatch(told -> told.startsWith("the program ended with"));
    if (run.exitStatus() != 0 && !isTold) {
      lines.add(
          "in the way: the program ended with status "
              + run.exitStatus()
              + "; what it had not done by then is not checked");
    }
    if (Stream.concat(
            all(AnomalyReport::anomalies).stream(), all(AnomalyReport::lockOrdered).stream())
        .anyMatch(finding -> WITHOUT_NAME.matcher(finding.variable()).find())) {
      lines.add("variables are shown by their numbers: compile with -g to see their names");
    }
    lines.addAll(notes());
    lines.add(verdict());
    return lines;
  }

  /**
   * What changes no verdict: lines of the mask file that hide nothing. A line that one of several
   * virtual machines needed is not among them.
   */
  List<String> notes() {
    return all(AnomalyReport::unmatched).stream()
        .distinct()
        .filter(mask -> run.reports().stream().allMatch(one -> one.unmatched().contains(mask)))
        .map(mask -> "the mask '" + mask.mask() + "' (" + mask.place() + ") matched nothing")
        .toList();
  }

  private static void describe(Finding finding, List<String> lines) {
    String element =
        finding.example().equals(finding.variable()) ? "" : ", for example " + finding.example();
    String what =
        switch (finding.type()) {
          case "lock-ordered" -> "lock-ordered: who comes first is left to chance";
          case "misuse" -> "anomaly: the result depends on how the stream is split";
          case "inconsistent-locking" -> "anomaly: the accesses hold no common lock";
          default -> "anomaly";
        };
    lines.add(
        finding.kind()
            + " "
            + finding.variable()
            + element
            + " ("
            + what
            + ", id "
            + finding.id()
            + ")");
    if (finding.type().equals("misuse")) {
      describe("at", finding.source(), lines);
      return;
    }
    describe("first", finding.source(), lines);
    describe("then", finding.sink(), lines);
  }

  private static void describe(String word, End end, List<String> lines) {
    String call = end.call().isEmpty() ? "" : ", " + end.call() + "()";
    String locks = end.locks().isEmpty() ? "" : ", holding " + String.join(", ", end.locks());
    lines.add("  " + word + ": " + end.place() + call + ", " + end.block() + locks);
    end.stack().forEach(frame -> lines.add("      at " + frame));
  }

  private String verdict() {
    int masked = all(AnomalyReport::masked).size();
    String except = masked == 0 ? "" : " except " + Words.count(masked, "masked finding");
    if (hasAnomalies()) {
      return Words.count(all(AnomalyReport::anomalies).size(), "anomaly", "anomalies") + except;
    }
    if (run.reports().isEmpty()) {
      return "not validated: " + NO_REPORT;
    }
    return isValidated()
        ? "validated"
            + except
            + ": every schedule computes the same on this input"
            + (masked == 0 ? "" : ", but for what is masked")
        : "not validated" + except + ": see above what is left to chance or stands in the way";
  }

  String json() {
    return run.reports().stream()
        .map(AnomalyReport::json)
        .collect(
            Collectors.joining(
                ",",
                "{\"exit\":%d,\"verdict\":\"%s\",%s\"reports\":["
                    .formatted(
                        run.exitStatus(),
                        hasAnomalies()
                            ? "anomalies"
                            : isValidated() ? "validated" : "not validated",
                        run.reports().isEmpty() ? "\"reason\":\"" + NO_REPORT + "\"," : ""),
                "]}"));
  }

  /** As code review tools read it: the sink is the location, the source a related one. */
  void sarif(JsonGenerator json) {
    json.writeStartObject();
    json.writeStringProperty("version", "2.1.0");
    json.writeStringProperty("$schema", "https://json.schemastore.org/sarif-2.1.0.json");
    json.writeArrayPropertyStart("runs");
    json.writeStartObject();
    json.writeObjectPropertyStart("tool");
    json.writeObjectPropertyStart("driver");
    json.writeStringProperty("name", "reprise");
    json.writeEndObject();
    json.writeEndObject();
    json.writeArrayPropertyStart("results");
    all(AnomalyReport::anomalies).forEach(finding -> result(json, finding, "error"));
    all(AnomalyReport::lockOrdered).forEach(finding -> result(json, finding, "warning"));
    json.writeEndArray();
    json.writeEndObject();
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void result(JsonGenerator json, Finding finding, String level) {
    json.writeStartObject();
    json.writeStringProperty("ruleId", finding.type());
    json.writeStringProperty("level", level);
    json.writeObjectPropertyStart("message");
    json.writeStringProperty(
        "text",
        finding.kind()
            + " "
            + finding.variable()
            + ": "
            + finding.source().block()
            + " and "
            + finding.sink().block());
    json.writeEndObject();
    json.writeArrayPropertyStart("locations");
    location(json, finding.sink());
    json.writeEndArray();
    json.writeArrayPropertyStart("relatedLocations");
    location(json, finding.source());
    json.writeEndArray();
    json.writeObjectPropertyStart("partialFingerprints");
    json.writeStringProperty("finding/v1", finding.id());
    json.writeEndObject();
    json.writeEndObject();
  }

  private static void location(JsonGenerator json, End end) {
    int slash = end.className().lastIndexOf('.');
    String folder = slash < 0 ? "" : end.className().substring(0, slash).replace('.', '/') + "/";
    json.writeStartObject();
    json.writeObjectPropertyStart("physicalLocation");
    json.writeObjectPropertyStart("artifactLocation");
    json.writeStringProperty("uri", folder + end.file());
    json.writeEndObject();
    json.writeObjectPropertyStart("region");
    json.writeNumberProperty("startLine", Math.max(1, end.line()));
    json.writeEndObject();
    json.writeEndObject();
    json.writeEndObject();
  }
}
