package org.reprise.viewer.page;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import org.reprise.findings.Finding;
import org.reprise.findings.Passage;
import org.reprise.findings.Report;
import org.reprise.findings.Rule;
import org.reprise.findings.TaskAccess;
import org.reprise.trace.Location;
import org.reprise.viewer.answer.Answers;
import tools.jackson.core.JsonGenerator;

/**
 * The page of what {@code reprise check} found, in one file: tasks as lanes from their fork to
 * their join, the accesses that met in them, and of each finding both source lines and stacks.
 */
public final class AnomaliesPage {
  private final Report report;
  private final List<Finding> shown;

  private AnomaliesPage(Report report, int limit) {
    this.report = report;
    shown = report.findings().stream().limit(limit).toList();
  }

  /**
   * The page.
   *
   * @param limit how many findings are shown at most
   * @param roots directories that source files are looked for in
   */
  public static String of(Report report, int limit, List<Path> roots) {
    AnomaliesPage page = new AnomaliesPage(report, limit);
    String json =
        new String(
            Answers.json(out -> page.write(out, limit)).orElseThrow().content(),
            StandardCharsets.UTF_8);
    // Names come from programs: none of them ends the script that they are in.
    String data =
        "<script type=\"application/json\" id=\"findings\">"
            + json.replace("<", "\\u003c")
            + "</script>";
    return OneFile.of(
        PageFiles.text("anomalies.html")
            .replace("<!--report-->\n", FindingArticles.of(report, limit, roots)),
        "anomalies.js",
        data);
  }

  private void write(JsonGenerator json, int limit) {
    json.writeStartObject();
    json.writeStringProperty("subject", report.subject());
    json.writeStringProperty("summary", report.summary(limit));
    json.writeArrayPropertyStart("findings");
    shown.forEach(finding -> write(json, finding));
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, Finding finding) {
    json.writeStartObject();
    json.writeStringProperty("id", finding.id());
    json.writeStringProperty("title", finding.headline());
    json.writeStringProperty("rule", finding.rule().id());
    json.writeStringProperty("place", finding.place().text());
    json.writeBooleanProperty("ordered", finding.rule() == Rule.LOCK_ORDERED);
    StringBuilder words = new StringBuilder();
    for (Passage passage : finding.passages()) {
      words.append(passage.words()).append(' ');
      passage.stack().forEach(place -> words.append(place.text()).append(' '));
    }
    json.writeStringProperty("words", words.toString().strip());
    json.writeArrayPropertyStart("accesses");
    // The text begins with the one that came to light last; a picture with the one that was first.
    for (Passage passage : finding.passages().reversed()) {
      passage
          .access()
          .filter(access -> !access.tasks().isEmpty())
          .ifPresent(access -> write(json, access, passage.stack()));
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, TaskAccess access, List<Location> stack) {
    json.writeStartObject();
    json.writeStringProperty("kind", access.kind());
    json.writeNumberProperty("moment", access.moment());
    json.writeStringProperty("place", stack.isEmpty() ? "" : stack.getFirst().where());
    json.writeArrayPropertyStart("tasks");
    for (TaskAccess.Task task : access.tasks()) {
      json.writeStartObject();
      json.writeNumberProperty("id", task.id());
      json.writeStringProperty("what", task.what());
      moment(json, "forked", task.forked());
      moment(json, "joined", task.joined());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void moment(JsonGenerator json, String name, OptionalLong at) {
    if (at.isPresent()) {
      json.writeNumberProperty(name, at.getAsLong());
    }
  }
}
