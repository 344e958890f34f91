package org.reprise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.reprise.trace.text.JsonTree;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * What SARIF 2.1.0 (OASIS, sections 3.13 to 3.49) requires of the parts that we write, and what
 * code hosts demand besides: a rule with help, a fingerprint, and a line.
 */
public final class Sarif {
  public static void requireValid(String text) {
    Map<?, ?> log;
    try (JsonParser parser = new JsonFactory().createParser(ObjectReadContext.empty(), text)) {
      parser.nextToken();
      log = object(JsonTree.value(parser));
    }
    assertThat(log.get("version")).isEqualTo("2.1.0");
    Map<?, ?> run = object(list(log, "runs").getFirst());
    Map<?, ?> driver = object(object(run.get("tool")).get("driver"));
    assertThat(driver.get("name")).isEqualTo("Reprise");
    List<String> rules = list(driver, "rules").stream().map(rule -> rule(object(rule))).toList();
    assertThat(rules).doesNotHaveDuplicates();
    Map<?, ?> invocation = object(list(run, "invocations").getFirst());
    assertThat(invocation.get("executionSuccessful")).isEqualTo(true);
    assertThat(list(invocation, "toolExecutionNotifications"))
        .isNotEmpty()
        .allSatisfy(notification -> requireMessage(object(notification)));
    assertThat(list(run, "results"))
        .isNotEmpty()
        .allSatisfy(result -> requireResult(object(result), rules));
  }

  private static String rule(Map<?, ?> rule) {
    assertThat(text(object(rule.get("shortDescription")))).isNotEmpty();
    assertThat(text(object(rule.get("help")))).isNotEmpty();
    requireLevel(object(rule.get("defaultConfiguration")));
    return String.valueOf(rule.get("id"));
  }

  private static void requireResult(Map<?, ?> result, List<String> rules) {
    assertThat(rules).contains(String.valueOf(result.get("ruleId")));
    requireMessage(result);
    requireLevel(result);
    assertThat(String.valueOf(object(result.get("partialFingerprints")).get("finding/v1")))
        .matches("[0-9a-f]{8}");
    assertThat(list(result, "locations")).hasSize(1);
    list(result, "locations").forEach(location -> requireLocation(object(location)));
    list(result, "relatedLocations").forEach(location -> requireLocation(object(location)));
  }

  private static void requireLocation(Map<?, ?> location) {
    Map<?, ?> physical = object(location.get("physicalLocation"));
    String uri = String.valueOf(object(physical.get("artifactLocation")).get("uri"));
    assertThat(URI.create(uri).getPath()).isNotEmpty();
    assertThat(String.valueOf(object(physical.get("region")).get("startLine")))
        .matches("[1-9]\\d*");
  }

  private static void requireLevel(Map<?, ?> holder) {
    assertThat(String.valueOf(holder.get("level"))).isIn("none", "note", "warning", "error");
  }

  private static void requireMessage(Map<?, ?> holder) {
    assertThat(text(object(holder.get("message")))).isNotEmpty();
  }

  private static String text(Map<?, ?> message) {
    return String.valueOf(message.get("text"));
  }

  private static Map<?, ?> object(@Nullable Object value) {
    if (value instanceof Map<?, ?> map) {
      return map;
    }
    throw new AssertionError("not an object: " + value);
  }

  private static List<?> list(Map<?, ?> holder, String name) {
    if (holder.get(name) instanceof List<?> list) {
      return list;
    }
    throw new AssertionError("there is no array " + name + " in " + holder);
  }

  private Sarif() {}
}
