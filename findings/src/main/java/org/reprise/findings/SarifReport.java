package org.reprise.findings;

import java.io.PrintWriter;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.reprise.trace.Location;
import tools.jackson.core.JsonGenerator;

/** A report in SARIF 2.1.0, which editors and code hosts show beside the source. */
public final class SarifReport {
  private static final String SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json";

  public static void print(Report report, int limit, String version, PrintWriter out) {
    JsonReport.write(
        out,
        json -> {
          json.writeStartObject();
          json.writeStringProperty("$schema", SCHEMA);
          json.writeStringProperty("version", "2.1.0");
          json.writeArrayPropertyStart("runs");
          json.writeStartObject();
          tool(json, report, version);
          invocation(json, report, limit);
          json.writeArrayPropertyStart("results");
          report.findings().stream().limit(limit).forEach(finding -> result(json, finding));
          json.writeEndArray();
          json.writeEndObject();
          json.writeEndArray();
          json.writeEndObject();
        });
  }

  private static void tool(JsonGenerator json, Report report, String version) {
    json.writeObjectPropertyStart("tool");
    json.writeObjectPropertyStart("driver");
    json.writeStringProperty("name", "Reprise");
    json.writeStringProperty("version", version);
    json.writeArrayPropertyStart("rules");
    List<Rule> rules = report.findings().stream().map(Finding::rule).distinct().toList();
    for (Rule rule : rules) {
      json.writeStartObject();
      json.writeStringProperty("id", rule.id());
      json.writeStringProperty("name", rule.title());
      message(json, "shortDescription", rule.meaning());
      message(json, "help", rule.help());
      json.writeObjectPropertyStart("defaultConfiguration");
      json.writeStringProperty("level", level(rule));
      json.writeEndObject();
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
    json.writeEndObject();
  }

  /** The verdict, and what limits it. */
  private static void invocation(JsonGenerator json, Report report, int limit) {
    json.writeArrayPropertyStart("invocations");
    json.writeStartObject();
    json.writeBooleanProperty("executionSuccessful", true);
    json.writeArrayPropertyStart("toolExecutionNotifications");
    notification(json, report.summary(limit));
    report.notes().forEach(note -> notification(json, note));
    json.writeEndArray();
    json.writeEndObject();
    json.writeEndArray();
  }

  private static void notification(JsonGenerator json, String text) {
    json.writeStartObject();
    json.writeStringProperty("level", "note");
    message(json, "message", text);
    json.writeEndObject();
  }

  private static void result(JsonGenerator json, Finding finding) {
    json.writeStartObject();
    json.writeStringProperty("ruleId", finding.rule().id());
    json.writeStringProperty("level", level(finding.rule()));
    message(
        json,
        "message",
        finding.headline()
            + ". "
            + finding.passages().stream()
                .map(passage -> passage.words().replaceFirst(":$", "."))
                .collect(Collectors.joining(" "))
            + finding.remarks().stream().map(remark -> " " + remark).collect(Collectors.joining()));
    if (finding.count() > 1) {
      json.writeNumberProperty(
          "occurrenceCount", (int) Math.min(Integer.MAX_VALUE, finding.count()));
    }
    json.writeObjectPropertyStart("partialFingerprints");
    json.writeStringProperty("finding/v1", finding.id());
    json.writeEndObject();
    json.writeArrayPropertyStart("locations");
    location(json, finding.place(), finding.passages().getFirst().words());
    json.writeEndArray();
    json.writeArrayPropertyStart("relatedLocations");
    for (Passage passage : finding.passages().subList(1, finding.passages().size())) {
      if (!passage.stack().isEmpty()) {
        location(json, passage.stack().getFirst(), passage.words());
      }
    }
    json.writeEndArray();
    stacks(json, finding.passages().stream().filter(one -> one.stack().size() > 1).toList());
    json.writeEndObject();
  }

  /** The callers, which locations have no room for. */
  private static void stacks(JsonGenerator json, List<Passage> passages) {
    if (passages.isEmpty()) {
      return;
    }
    json.writeArrayPropertyStart("stacks");
    for (Passage passage : passages) {
      json.writeStartObject();
      message(json, "message", passage.words());
      json.writeArrayPropertyStart("frames");
      for (Location frame : passage.stack()) {
        json.writeStartObject();
        json.writeObjectPropertyStart("location");
        place(json, frame);
        json.writeEndObject();
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void location(JsonGenerator json, Location location, String words) {
    json.writeStartObject();
    message(json, "message", words);
    place(json, location);
    json.writeEndObject();
  }

  /** Where the file is known and its line is not, code hosts still demand one. */
  private static void place(JsonGenerator json, Location location) {
    location
        .file()
        .ifPresent(
            file -> {
              json.writeObjectPropertyStart("physicalLocation");
              json.writeObjectPropertyStart("artifactLocation");
              json.writeStringProperty("uri", uri(file));
              json.writeEndObject();
              json.writeObjectPropertyStart("region");
              json.writeNumberProperty("startLine", Math.max(1, location.line().orElse(1)));
              json.writeEndObject();
              json.writeEndObject();
            });
    location
        .function()
        .ifPresent(
            function -> {
              json.writeArrayPropertyStart("logicalLocations");
              json.writeStartObject();
              json.writeStringProperty("name", function);
              json.writeStringProperty("kind", "function");
              json.writeEndObject();
              json.writeEndArray();
            });
  }

  private static String level(Rule rule) {
    return rule.level().name().toLowerCase(Locale.ROOT);
  }

  /** A path may hold what a URI may not, such as a space. */
  private static String uri(String file) {
    try {
      String path = new URI("file", "", "/" + file.replaceFirst("^/+", ""), null).getRawPath();
      return file.startsWith("/") ? "file://" + path : path.substring(1);
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException(file, e);
    }
  }

  private static void message(JsonGenerator json, String name, String text) {
    json.writeObjectPropertyStart(name);
    json.writeStringProperty("text", text);
    json.writeEndObject();
  }

  private SarifReport() {}
}
