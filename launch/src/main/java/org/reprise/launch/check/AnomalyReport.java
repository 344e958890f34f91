package org.reprise.launch.check;

import java.util.List;
import java.util.Map;
import org.reprise.trace.UserError;
import org.reprise.trace.text.JsonTree;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * What the anomaly agent found in one virtual machine.
 *
 * @param verdict "validated", "anomalies" or "not validated"
 * @param unmatched lines of the mask file that hide nothing here
 * @param trusted code that took part unchecked, since the user trusts it
 * @param lines the report in words; the last is the summary
 * @param json the report as the agent wrote it
 */
public record AnomalyReport(
    String verdict,
    List<Conflict> anomalies,
    List<Conflict> lockOrdered,
    List<String> obstacles,
    List<Conflict> masked,
    List<UnmatchedMask> unmatched,
    List<String> trusted,
    List<String> lines,
    String json) {
  private static final long VERSION = 1;

  /**
   * Two accesses that no order protects.
   *
   * @param type "anomaly", "inconsistent-locking", "misuse" or "lock-ordered"
   * @param kind "WRITE-WRITE", "WRITE-READ", "READ-WRITE"; "NOT-ASSOCIATIVE", "NOT-AN-IDENTITY" of
   *     a misused function
   */
  public record Conflict(
      String id,
      String type,
      String kind,
      String variable,
      String example,
      Access source,
      Access sink) {}

  /**
   * A line of the mask file.
   *
   * @param place such as "masks.txt:3"
   */
  public record UnmatchedMask(String mask, String place) {}

  /** One of the two accesses. */
  public record Access(
      String className,
      String method,
      String file,
      int line,
      String call,
      String block,
      List<String> locks,
      List<String> stack) {}

  /** Reads what the agent wrote. */
  public static AnomalyReport parse(String json) {
    try (JsonParser parser = new JsonFactory().createParser(ObjectReadContext.empty(), json)) {
      parser.nextToken();
      Map<?, ?> report = (Map<?, ?>) JsonTree.value(parser);
      if (report == null || !Long.valueOf(VERSION).equals(report.get("version"))) {
        throw damaged("it is not of version " + VERSION);
      }
      return new AnomalyReport(
          text(report, "verdict"),
          conflicts(report, "anomalies"),
          conflicts(report, "lockOrdered"),
          list(report, "obstacles").stream().map(AnomalyReport::obstacle).toList(),
          conflicts(report, "masked"),
          list(report, "unmatchedMasks").stream().map(AnomalyReport::unmatched).toList(),
          list(report, "trusted").stream().map(String::valueOf).toList(),
          list(report, "lines").stream().map(String::valueOf).toList(),
          json.strip());
    } catch (JacksonException | ClassCastException e) {
      throw damaged(String.valueOf(e.getMessage()));
    }
  }

  /** What to say of a report that another version of the agent wrote, or that is cut off. */
  public static UserError damaged(String why) {
    return new UserError(
        "the report of the anomaly agent cannot be read", why, "run the check again");
  }

  private static String obstacle(Object obstacle) {
    Map<?, ?> fields = (Map<?, ?>) obstacle;
    String place = text(fields, "place");
    return text(fields, "what") + (place.isEmpty() ? "" : " at " + place);
  }

  private static UnmatchedMask unmatched(Object item) {
    Map<?, ?> fields = (Map<?, ?>) item;
    return new UnmatchedMask(text(fields, "mask"), text(fields, "place"));
  }

  private static List<Conflict> conflicts(Map<?, ?> report, String name) {
    return list(report, name).stream()
        .map(item -> (Map<?, ?>) item)
        .map(
            item ->
                new Conflict(
                    text(item, "id"),
                    text(item, "type"),
                    text(item, "kind"),
                    text(item, "variable"),
                    text(item, "example"),
                    access(item, "source"),
                    access(item, "sink")))
        .toList();
  }

  private static Access access(Map<?, ?> conflict, String name) {
    if (!(conflict.get(name) instanceof Map<?, ?> end)) {
      throw damaged("there is no " + name);
    }
    return new Access(
        text(end, "class"),
        text(end, "method"),
        text(end, "file"),
        end.get("line") instanceof Long line ? line.intValue() : 0,
        text(end, "call"),
        text(end, "block"),
        list(end, "locks").stream().map(String::valueOf).toList(),
        list(end, "stack").stream().map(String::valueOf).toList());
  }

  private static String text(Map<?, ?> fields, String name) {
    return fields.get(name) instanceof String text ? text : "";
  }

  private static List<?> list(Map<?, ?> fields, String name) {
    return fields.get(name) instanceof List<?> list ? list : List.of();
  }
}
