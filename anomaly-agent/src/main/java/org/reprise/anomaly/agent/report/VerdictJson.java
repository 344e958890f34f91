package org.reprise.anomaly.agent.report;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The verdict as JSON, for whoever started the agent. Written by hand: the agent brings no library
 * into the program under test that it can do without.
 */
public final class VerdictJson {
  /** Of the format; raised when a reader would misread. */
  private static final int VERSION = 1;

  private VerdictJson() {}

  public static String of(Verdict verdict) {
    return "{\"version\":"
        + VERSION
        + ",\"verdict\":"
        + string(verdict.word().text())
        + ",\"anomalies\":"
        + list(verdict.anomalies(), VerdictJson::finding)
        + ",\"lockOrdered\":"
        + list(verdict.lockOrdered(), VerdictJson::finding)
        + ",\"obstacles\":"
        + list(verdict.obstacles(), VerdictJson::obstacle)
        + ",\"masked\":"
        + list(verdict.masked(), VerdictJson::finding)
        + ",\"unmatchedMasks\":"
        + list(verdict.unmatched(), VerdictJson::entry)
        + ",\"lines\":"
        + list(VerdictText.of(verdict), VerdictJson::string)
        + ",\"trusted\":"
        + list(verdict.trusted(), VerdictJson::string)
        + ",\"commuting\":"
        + list(verdict.commuting(), VerdictJson::string)
        + "}\n";
  }

  private static <T> String list(List<T> values, Function<T, String> json) {
    return values.stream().map(json).collect(Collectors.joining(",", "[", "]"));
  }

  private static String finding(Finding finding) {
    return "{\"id\":"
        + string(finding.id())
        + ",\"type\":"
        + string(finding.type().id())
        + ",\"kind\":"
        + string(finding.kind().text())
        + ",\"variable\":"
        + string(finding.variable())
        + ",\"example\":"
        + string(finding.example())
        + ",\"volatile\":"
        + finding.isVolatile()
        + ",\"source\":"
        + end(finding.source())
        + ",\"sink\":"
        + end(finding.sink())
        + "}";
  }

  private static String end(Finding.End end) {
    return "{\"class\":"
        + string(end.site().className())
        + ",\"method\":"
        + string(end.site().method())
        + ",\"file\":"
        + string(end.site().file())
        + ",\"line\":"
        + end.site().line()
        + ",\"call\":"
        + string(end.site().callText())
        + ",\"block\":"
        + string(end.block())
        + ",\"locks\":"
        + list(end.locks(), VerdictJson::string)
        + ",\"stack\":"
        + list(end.stack(), VerdictJson::string)
        + "}";
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
