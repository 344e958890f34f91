package org.reprise.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.reprise.launch.AnomalyReport;
import org.reprise.launch.AnomalyReport.End;
import org.reprise.launch.AnomalyReport.Finding;
import org.reprise.launch.CheckedRun;
import tools.jackson.core.JsonGenerator;

/** What {@code check} found, over all virtual machines that the command started. */
final class CheckReport {
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

  /** Findings, obstacles, and at the end the verdict: the words are the agent's. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    for (AnomalyReport report : run.reports()) {
      int last = Math.max(0, report.lines().size() - 1);
      lines.addAll(report.lines().subList(0, last));
    }
    if (hasFailedSilently()) {
      lines.add(
          "in the way: the program ended with status "
              + run.exitStatus()
              + "; what it had not done by then is not checked");
    }
    lines.addAll(notes());
    lines.add(verdict());
    return lines;
  }

  /** Whether the program failed, and no virtual machine says so. */
  private boolean hasFailedSilently() {
    return run.exitStatus() != 0
        && all(AnomalyReport::obstacles).stream()
            .noneMatch(told -> told.startsWith("the program ended with"));
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

  /** The agent's own words where there is one; over several, their sum. */
  private String verdict() {
    if (run.reports().isEmpty()) {
      return "not validated: " + NO_REPORT;
    }
    AnomalyReport first = run.reports().getFirst();
    if (run.reports().size() == 1 && !hasFailedSilently() && !first.lines().isEmpty()) {
      return first.lines().getLast();
    }
    int masked = all(AnomalyReport::masked).size();
    String except = masked == 0 ? "" : " except " + masked + " masked";
    if (hasAnomalies()) {
      return Words.count(all(AnomalyReport::anomalies).size(), "anomaly", "anomalies") + except;
    }
    int obstacles =
        all(AnomalyReport::lockOrdered).size()
            + all(AnomalyReport::obstacles).size()
            + (hasFailedSilently() ? 1 : 0);
    List<String> trusted = all(AnomalyReport::trusted).stream().distinct().sorted().toList();
    return isValidated()
        ? "validated"
            + except
            + (trusted.isEmpty() ? "" : ", trusting " + String.join(", ", trusted))
            + ": every schedule computes the same on this input"
            + (masked == 0 ? "" : ", but for what is masked")
        : "not validated"
            + except
            + ": "
            + (obstacles == 1 ? "one thing stands" : obstacles + " things stand")
            + " in the way";
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
