package org.reprise.findings;

import java.io.PrintWriter;
import java.util.function.Consumer;
import org.reprise.trace.text.JsonText;
import tools.jackson.core.JsonGenerator;

/** A report for scripts. Field names, once given out, stay; docs/RACES.md lists them. */
public final class JsonReport {
  public static void print(Report report, int limit, PrintWriter out) {
    write(
        out,
        json -> {
          json.writeStartObject();
          json.writeStringProperty("run", report.subject());
          json.writeStringProperty("verdict", report.verdict().word());
          json.writeNumberProperty("findings", report.findings().size());
          json.writeNumberProperty("suppressed", report.suppressed());
          json.writeArrayPropertyStart("notes");
          report.notes().forEach(json::writeString);
          json.writeEndArray();
          json.writeArrayPropertyStart("withheld");
          report.verdict().withheld().forEach(json::writeString);
          json.writeEndArray();
          json.writeArrayPropertyStart("shown");
          report.findings().stream().limit(limit).forEach(finding -> finding(json, finding));
          json.writeEndArray();
          json.writeEndObject();
        });
  }

  static void write(PrintWriter out, Consumer<JsonGenerator> content) {
    out.println(JsonText.indented(content));
  }

  private static void finding(JsonGenerator json, Finding finding) {
    json.writeStartObject();
    json.writeStringProperty("rule", finding.rule().id());
    json.writeStringProperty("id", finding.id());
    json.writeNumberProperty("count", finding.count());
    json.writeArrayPropertyStart("passages");
    for (Passage passage : finding.passages()) {
      json.writeStartObject();
      json.writeStringProperty("words", passage.words());
      json.writeArrayPropertyStart("stack");
      passage.stack().forEach(location -> location.write(json));
      json.writeEndArray();
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayPropertyStart("remarks");
    finding.remarks().forEach(json::writeString);
    json.writeEndArray();
    json.writeEndObject();
  }

  private JsonReport() {}
}
