package org.reprise.viewer.page;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.reprise.causality.EventTable;
import org.reprise.trace.UserError;
import org.reprise.viewer.ViewedRun;
import org.reprise.viewer.answer.Answers;
import org.reprise.viewer.picture.Axis;
import org.reprise.viewer.picture.RunPicture;
import tools.jackson.core.JsonGenerator;

/**
 * The page of a run as one file, to be mailed to a colleague: the modules of the page and every
 * answer that it can ask for are in it, and it needs neither a server nor anything from elsewhere.
 * As all answers are in it, the run must be small.
 */
public final class SelfContainedPage {
  /** The file has details of every event, and is to stay below some megabytes. */
  public static final int EVENTS_MAX = 5_000;

  /** Beyond that, lanes are groups. */
  public static final int RANKS_MAX = 256;

  /** Past and future of every event are in it as long as these are not more numbers than that. */
  private static final long CONE_NUMBERS_MAX = 400_000;

  /** A report of the races, which the page shows first; empty if there is none. */
  private final String report;

  private final Answers answers;
  private final EventTable events;
  private final Map<String, String> baked = new LinkedHashMap<>();

  private SelfContainedPage(ViewedRun run, String report) {
    this.report = report;
    answers = new Answers(run);
    events = run.graph().events();
  }

  /** Whether a run is small enough. */
  public static boolean fits(ViewedRun run) {
    EventTable events = run.graph().events();
    return events.size() <= EVENTS_MAX && events.ranks() <= RANKS_MAX;
  }

  /** The page of a run that is small enough. */
  public static String of(ViewedRun run) {
    return withReport(run, "");
  }

  /**
   * The page of a run that is small enough, opened at its races.
   *
   * @param report of the races, as HTML
   */
  public static String withReport(ViewedRun run, String report) {
    int size = run.graph().events().size();
    int ranks = run.graph().events().ranks();
    if (!fits(run)) {
      throw new UserError(
          "the run is too large for a page of its own",
          "%d events on %d ranks, where %d on %d are the most"
              .formatted(size, ranks, EVENTS_MAX, RANKS_MAX),
          "look at it with reprise view");
    }
    SelfContainedPage page = new SelfContainedPage(run, report);
    page.bake(new RunPicture(run));
    return page.html();
  }

  private void bake(RunPicture picture) {
    text("run", Map.of());
    text("races", Map.of());
    text("groups", Map.of("by", "communicator"));
    text("groups", Map.of("by", "behaviour"));
    text("statistics", Map.of());
    for (Axis.Kind kind : Axis.Kind.values()) {
      Axis axis = picture.axis(kind);
      Map<String, Object> whole = new LinkedHashMap<>();
      whole.put("axis", kind.word());
      whole.put("shift", axis.shift());
      whole.put("index", 0);
      whole.put("first", 0);
      whole.put("ranks", events.ranks());
      whole.put("per", 1);
      binary("lanes", whole);
      binary("messages", whole);
      int per = 1;
      while (events.ranks() > 32 * per) {
        per *= 2;
      }
      whole.put("per", per);
      whole.put("preview", 1);
      binary("lanes", whole);
      Map<String, Object> stretch = new LinkedHashMap<>();
      stretch.put("axis", kind.word());
      stretch.put("from", 0);
      stretch.put("to", axis.length());
      text("times", stretch);
    }
    boolean cones = (long) events.size() * events.ranks() <= CONE_NUMBERS_MAX;
    for (int event = 0; event < events.size(); event++) {
      Map<String, Object> named = Map.of("event", events.rank(event) + ":" + events.number(event));
      text("event", named);
      if (cones) {
        text("cone", named);
      }
    }
  }

  private byte[] answer(String question, Map<String, Object> fields) {
    Map<String, String> query = new LinkedHashMap<>();
    fields.forEach((name, value) -> query.put(name, String.valueOf(value)));
    return answers.to(question, query).orElseThrow().content();
  }

  /** As the page names a question, so that it finds the answer. */
  private static String address(String question, Map<String, Object> fields) {
    StringBuilder address = new StringBuilder("api/").append(question);
    String sign = "?";
    for (Map.Entry<String, Object> field : fields.entrySet()) {
      String value = String.valueOf(field.getValue()).replace(":", "%3A");
      address.append(sign).append(field.getKey()).append('=').append(value);
      sign = "&";
    }
    return address.toString();
  }

  private void text(String question, Map<String, Object> fields) {
    baked.put(
        address(question, fields), new String(answer(question, fields), StandardCharsets.UTF_8));
  }

  private void binary(String question, Map<String, Object> fields) {
    baked.put(
        address(question, fields), Base64.getEncoder().encodeToString(answer(question, fields)));
  }

  private String html() {
    String whole =
        OneFile.of(
            PageFiles.text("index.html").replaceFirst("(?s) *<link rel=\"icon\".*?</script>\n", ""),
            "main.js",
            "<script type=\"application/gzip\" id=\"baked-answers\">" + compressed() + "</script>");
    if (report.isEmpty()) {
      return whole;
    }
    return whole
        .replace("<html lang=\"en\">", "<html lang=\"en\" data-tab=\"races\">")
        .replace(
            "<noscript>", "<template id=\"report\">\n" + report + "</template>\n    <noscript>");
  }

  private String compressed() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
      gzip.write(Answers.json(this::write).orElseThrow().content());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Base64.getEncoder().encodeToString(bytes.toByteArray());
  }

  private void write(JsonGenerator json) {
    json.writeStartObject();
    baked.forEach(json::writeStringProperty);
    json.writeEndObject();
  }
}
