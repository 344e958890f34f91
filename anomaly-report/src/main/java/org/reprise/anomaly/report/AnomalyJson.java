package org.reprise.anomaly.report;

import java.util.List;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The verdict as JSON, for whoever started the agent. Written by hand: the agent brings no library
 * into the program under test that it can do without.
 */
public final class AnomalyJson {
  /** Of the format; raised when a reader would misread. */
  private static final int VERSION = 1;

  private AnomalyJson() {}

  public static String of(AnomalyVerdict verdict) {
    return "{\"version\":"
        + VERSION
        + ",\"verdict\":"
        + string(verdict.word().text())
        + ",\"anomalies\":"
        + list(verdict.anomalies(), AnomalyJson::conflict)
        + ",\"lockOrdered\":"
        + list(verdict.lockOrdered(), AnomalyJson::conflict)
        + ",\"obstacles\":"
        + list(verdict.obstacles(), AnomalyJson::obstacle)
        + ",\"masked\":"
        + list(verdict.masked(), AnomalyJson::conflict)
        + ",\"unmatchedMasks\":"
        + list(verdict.unmatched(), AnomalyJson::entry)
        + ",\"lines\":"
        + list(AnomalyText.of(verdict), AnomalyJson::string)
        + ",\"trusted\":"
        + list(verdict.trusted(), AnomalyJson::string)
        + ",\"commuting\":"
        + list(verdict.commuting(), AnomalyJson::string)
        + "}\n";
  }

  private static <T> String list(List<T> values, Function<T, String> json) {
    return values.stream().map(json).collect(Collectors.joining(",", "[", "]"));
  }

  private static String conflict(Conflict conflict) {
    return "{\"id\":"
        + string(conflict.id())
        + ",\"type\":"
        + string(conflict.type().id())
        + ",\"kind\":"
        + string(conflict.kind().text())
        + ",\"variable\":"
        + string(conflict.variable())
        + ",\"example\":"
        + string(conflict.example())
        + ",\"volatile\":"
        + conflict.isVolatile()
        + ",\"source\":"
        + end(conflict.source())
        + ",\"sink\":"
        + end(conflict.sink())
        + "}";
  }

  private static String end(Conflict.End end) {
    return "{\"class\":"
        + string(end.className())
        + ",\"method\":"
        + string(end.method())
        + ",\"file\":"
        + string(end.file())
        + ",\"line\":"
        + end.line()
        + ",\"call\":"
        + string(end.call())
        + ",\"block\":"
        + string(end.block().text())
        + ",\"tag\":"
        + end.block().tag()
        + ",\"tasks\":"
        + list(end.block().tasks(), AnomalyJson::task)
        + ",\"locks\":"
        + list(end.locks(), AnomalyJson::string)
        + ",\"stack\":"
        + list(end.stack(), AnomalyJson::string)
        + "}";
  }

  private static String task(Lineage.Task task) {
    return "{\"task\":"
        + task.id()
        + ",\"what\":"
        + string(task.text())
        + moment("forked", task.forked())
        + moment("joined", task.joined())
        + "}";
  }

  private static String moment(String name, OptionalLong tag) {
    return tag.isPresent() ? ",\"" + name + "\":" + tag.getAsLong() : "";
  }

  private static String obstacle(Obstacle obstacle) {
    return "{\"what\":" + string(obstacle.what()) + ",\"place\":" + string(obstacle.place()) + "}";
  }

  private static String entry(Mask.Entry entry) {
    return "{\"mask\":" + string(entry.name()) + ",\"place\":" + string(entry.place()) + "}";
  }

  private static String string(String text) {
    StringBuilder json = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        json.append('\\').append(c);
      } else if (c < ' ') {
        json.append(String.format("\\u%04x", (int) c));
      } else {
        json.append(c);
      }
    }
    return json.append('"').toString();
  }
}
