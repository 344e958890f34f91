package org.reprise.anomaly.agent.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The verdict in words: as the agent prints it where nobody else reads it, and as whoever reads the
 * report prints it.
 */
public final class VerdictText {
  /** As classes without the names of local variables have it. */
  private static final Pattern WITHOUT_NAME = Pattern.compile("^(parameter|local) \\d+ of ");

  /** So many findings on one object are shown each for itself. */
  private static final int SHOWN_MAX = 4;

  /** So many variables of one object are named. */
  private static final int NAMED_MAX = 6;

  /** Methods by which blocks share out pieces of work among themselves: who gets what varies. */
  private static final Set<String> CLAIMS =
      Set.of(
          "getAndIncrement",
          "incrementAndGet",
          "getAndDecrement",
          "decrementAndGet",
          "getAndAdd",
          "addAndGet",
          "take",
          "takeFirst",
          "poll",
          "pollFirst",
          "removeFirst",
          "pop");

  private VerdictText() {}

  /** All lines; the last is the summary. */
  public static List<String> of(Verdict verdict) {
    List<String> lines = new ArrayList<>();
    group(verdict.anomalies(), lines);
    group(verdict.lockOrdered(), lines);
    verdict.obstacles().forEach(obstacle -> lines.add("prevents validation: " + obstacle.text()));
    if (Stream.concat(verdict.anomalies().stream(), verdict.lockOrdered().stream())
        .anyMatch(finding -> WITHOUT_NAME.matcher(finding.variable()).find())) {
      lines.add("variables are shown by their numbers: compile with -g to see their names");
    }
    lines.add(summary(verdict));
    return lines;
  }

  /** Findings of one kind on one object have one cause, and one thing is to be done. */
  private static void group(List<Finding> findings, List<String> lines) {
    Map<String, List<Finding>> groups =
        findings.stream()
            .collect(
                Collectors.groupingBy(
                    finding -> finding.type() + " " + object(finding),
                    LinkedHashMap::new,
                    Collectors.toList()));
    for (List<Finding> group : groups.values()) {
      if (group.size() <= SHOWN_MAX) {
        group.forEach(finding -> lines.addAll(finding(finding)));
      } else {
        lines.addAll(finding(group.get(0)));
        lines.add(
            "  and %d more like this on %s: %s"
                .formatted(group.size() - 1, object(group.get(0)), counts(group)));
      }
      lines.add("  what to do: " + remedy(group));
    }
  }

  /** Whose the variable is: a class for its fields, else the variable without its elements. */
  private static String object(Finding finding) {
    String variable = finding.variable().replace("[*]", "");
    int dot = variable.lastIndexOf('.');
    boolean isField = dot > 0 && !variable.contains("(") && !variable.contains(" ");
    return isField ? variable.substring(0, dot) : variable;
  }

  private static String counts(List<Finding> group) {
    Map<String, Long> counts =
        group.stream()
            .collect(Collectors.groupingBy(Finding::variable, TreeMap::new, Collectors.counting()));
    String named =
        counts.entrySet().stream()
            .limit(NAMED_MAX)
            .map(each -> each.getKey() + " (" + each.getValue() + ")")
            .collect(Collectors.joining(", "));
    return named
        + (counts.size() > NAMED_MAX ? " and " + (counts.size() - NAMED_MAX) + " others" : "");
  }

  private static String remedy(List<Finding> group) {
    Finding first = group.get(0);
    return switch (first.type()) {
      case ANOMALY ->
          group.stream().allMatch(finding -> calls(finding, any -> true))
              ? "give each block its own, or use one that synchronises itself (java.util.concurrent)"
              : "give each block its own, or hold one lock wherever it is accessed";
      case INCONSISTENT_LOCKING -> "hold the same lock wherever it is accessed";
      case MISUSE -> "use a function that associates, and an identity that is one";
      case LOCK_ORDERED -> {
        String either =
            first.variable().startsWith("System.")
                ? "print in one block"
                : group.stream().anyMatch(finding -> calls(finding, CLAIMS::contains))
                    ? "fork a task for each piece of work instead of letting blocks claim them"
                    : "order the blocks";
        yield either + ", or mask it if the order does not matter";
      }
    };
  }

  /** Whether both accesses are calls of such library methods. */
  private static boolean calls(Finding finding, Predicate<String> methods) {
    return Stream.of(finding.source(), finding.sink())
        .map(end -> end.site().callText())
        .allMatch(call -> !call.isEmpty() && methods.test(call.substring(call.indexOf('.') + 1)));
  }

  private static List<String> finding(Finding finding) {
    List<String> lines = new ArrayList<>();
    String element =
        finding.example().equals(finding.variable()) ? "" : ", for example " + finding.example();
    lines.add(
        finding.kind().text()
            + " "
            + finding.variable()
            + element
            + " ("
            + words(finding.type())
            + ", id "
            + finding.id()
            + ")");
    if (finding.type() == Finding.Type.MISUSE) {
      end("at", finding.source(), lines);
    } else {
      end("first", finding.source(), lines);
      end("then", finding.sink(), lines);
    }
    return lines;
  }

  private static String words(Finding.Type type) {
    return switch (type) {
      case ANOMALY -> "anomaly";
      case INCONSISTENT_LOCKING -> "anomaly: the accesses hold no common lock";
      case MISUSE -> "anomaly: the result depends on how the stream is split";
      case LOCK_ORDERED -> "lock-ordered: who comes first is schedule-dependent";
    };
  }

  private static void end(String word, Finding.End end, List<String> lines) {
    String call = end.site().callText();
    lines.add(
        "  "
            + word
            + ": "
            + end.site().place()
            + " in "
            + end.site().method()
            + (call.isEmpty() ? "" : ", " + call + "()")
            + ", "
            + end.block()
            + (end.locks().isEmpty() ? "" : ", holding " + String.join(", ", end.locks())));
    end.stack().forEach(frame -> lines.add("      at " + frame));
  }

  private static String summary(Verdict verdict) {
    String except =
        verdict.masked().isEmpty() ? "" : " except " + verdict.masked().size() + " masked";
    String trusting =
        verdict.trusted().isEmpty() ? "" : ", trusting " + String.join(", ", verdict.trusted());
    int obstacles = verdict.lockOrdered().size() + verdict.obstacles().size();
    return switch (verdict.word()) {
      case VALIDATED ->
          "validated"
              + except
              + trusting
              + ": every schedule computes the same on this input"
              + (except.isEmpty() ? "" : ", but for what is masked");
      case ANOMALIES ->
          verdict.anomalies().size()
              + (verdict.anomalies().size() == 1 ? " anomaly" : " anomalies")
              + except;
      case NOT_VALIDATED ->
          "not validated"
              + except
              + ": "
              + (obstacles == 1 ? "one thing prevents it" : obstacles + " things prevent it");
    };
  }
}
