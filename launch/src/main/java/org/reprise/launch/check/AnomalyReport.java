package org.reprise.launch.check;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Function;
import org.reprise.anomaly.report.AnomalyVerdict;
import org.reprise.anomaly.report.Conflict;
import org.reprise.anomaly.report.Lineage;
import org.reprise.anomaly.report.Mask;
import org.reprise.anomaly.report.Obstacle;
import org.reprise.trace.UserError;
import org.reprise.trace.text.JsonTree;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * What the anomaly agent found in one virtual machine.
 *
 * @param json the report as the agent wrote it
 */
public record AnomalyReport(AnomalyVerdict verdict, String json) {
  private static final long VERSION = 1;

  /** Reads what the agent wrote. */
  public static AnomalyReport parse(String json) {
    try (JsonParser parser = new JsonFactory().createParser(ObjectReadContext.empty(), json)) {
      parser.nextToken();
      Map<?, ?> report = (Map<?, ?>) JsonTree.value(parser);
      if (report == null || !Long.valueOf(VERSION).equals(report.get("version"))) {
        throw damaged("it is not of version " + VERSION);
      }
      AnomalyVerdict verdict =
          new AnomalyVerdict(
              list(report, "anomalies", AnomalyReport::conflict),
              list(report, "lockOrdered", AnomalyReport::conflict),
              list(report, "obstacles", AnomalyReport::obstacle),
              list(report, "masked", AnomalyReport::conflict),
              list(report, "unmatchedMasks", AnomalyReport::unmatched),
              list(report, "commuting", String::valueOf),
              list(report, "trusted", String::valueOf));
      if (!verdict.word().text().equals(report.get("verdict"))) {
        throw damaged("its verdict does not follow from what it lists");
      }
      return new AnomalyReport(verdict, json.strip());
    } catch (JacksonException | ClassCastException e) {
      throw damaged(String.valueOf(e.getMessage()));
    }
  }

  /** What to say of a report that another version of the agent wrote, or that is cut off. */
  private static UserError damaged(String why) {
    return new UserError(
        "the report of the anomaly agent cannot be read", why, "run the check again");
  }

  private static Obstacle obstacle(Object item) {
    Map<?, ?> fields = (Map<?, ?>) item;
    return new Obstacle(text(fields, "what"), text(fields, "place"));
  }

  private static Mask.Entry unmatched(Object item) {
    Map<?, ?> fields = (Map<?, ?>) item;
    return new Mask.Entry(text(fields, "mask"), text(fields, "place"));
  }

  private static Conflict conflict(Object item) {
    Map<?, ?> fields = (Map<?, ?>) item;
    return new Conflict(
        constant(Conflict.Type.class, text(fields, "type")),
        constant(Conflict.Kind.class, text(fields, "kind")),
        text(fields, "variable"),
        text(fields, "variable"),
        text(fields, "example"),
        Boolean.TRUE.equals(fields.get("volatile")),
        end(fields, "source"),
        end(fields, "sink"));
  }

  private static <E extends Enum<E>> E constant(Class<E> type, String id) {
    try {
      return Enum.valueOf(type, id.toUpperCase(Locale.ROOT).replace('-', '_'));
    } catch (IllegalArgumentException e) {
      throw damaged("a conflict of " + type.getSimpleName().toLowerCase(Locale.ROOT) + " " + id);
    }
  }

  private static Conflict.End end(Map<?, ?> conflict, String name) {
    if (!(conflict.get(name) instanceof Map<?, ?> end)) {
      throw damaged("there is no " + name);
    }
    return new Conflict.End(
        text(end, "class"),
        text(end, "method"),
        text(end, "file"),
        end.get("line") instanceof Long line ? line.intValue() : 0,
        text(end, "call"),
        lineage(end),
        list(end, "locks", String::valueOf),
        list(end, "stack", String::valueOf));
  }

  private static Lineage lineage(Map<?, ?> end) {
    List<Lineage.Task> tasks = list(end, "tasks", AnomalyReport::task);
    return tasks.isEmpty()
        ? Lineage.of(text(end, "block"))
        : new Lineage(number(end, "tag").orElse(0), tasks);
  }

  private static Lineage.Task task(Object item) {
    Map<?, ?> fields = (Map<?, ?>) item;
    long joined = number(fields, "joined").orElse(0);
    return new Lineage.Task(
        number(fields, "task").orElse(0),
        text(fields, "what"),
        number(fields, "forked"),
        () -> joined);
  }

  private static OptionalLong number(Map<?, ?> fields, String name) {
    return fields.get(name) instanceof Long number ? OptionalLong.of(number) : OptionalLong.empty();
  }

  private static String text(Map<?, ?> fields, String name) {
    return fields.get(name) instanceof String text ? text : "";
  }

  private static <T> List<T> list(Map<?, ?> fields, String name, Function<Object, T> read) {
    return fields.get(name) instanceof List<?> list
        ? list.stream().map(item -> read.apply(item)).toList()
        : List.of();
  }
}
