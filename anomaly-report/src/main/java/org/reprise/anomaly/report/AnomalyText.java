package org.reprise.anomaly.report;

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

/** The verdict in words, as the agent prints it alone and as {@code reprise check} does. */
public final class AnomalyText {
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

  private static final String OR_MASK = ", or mask it if the order does not matter";

  private AnomalyText() {}

  /** All lines; the last is the summary. */
  public static List<String> of(AnomalyVerdict verdict) {
    List<String> lines = new ArrayList<>();
    group(verdict.anomalies(), lines);
    group(verdict.lockOrdered(), lines);
    verdict.obstacles().forEach(obstacle -> lines.add(obstacle.sentence()));
    if (Stream.concat(verdict.anomalies().stream(), verdict.lockOrdered().stream())
        .anyMatch(conflict -> WITHOUT_NAME.matcher(conflict.variable()).find())) {
      lines.add("variables are shown by their numbers: compile with -g to see their names");
    }
    lines.add(summary(verdict));
    return lines;
  }

  /**
   * The same at the end of the run, with a line for each mask that matched nothing: what one test
   * leaves of a mask, another may match.
   */
  public static List<String> ofRun(AnomalyVerdict verdict) {
    List<String> lines = of(verdict);
    verdict.unmatched().forEach(entry -> lines.add(lines.size() - 1, entry.complaint()));
    return lines;
  }

  /** Findings of one kind on one object have one cause, and one thing is to be done. */
  private static void group(List<Conflict> findings, List<String> lines) {
    Map<String, List<Conflict>> groups =
        findings.stream()
            .collect(
                Collectors.groupingBy(
                    conflict -> conflict.type() + " " + object(conflict),
                    LinkedHashMap::new,
                    Collectors.toList()));
    for (List<Conflict> group : groups.values()) {
      if (group.size() <= SHOWN_MAX) {
        group.forEach(conflict -> lines.addAll(conflict(conflict)));
      } else {
        lines.addAll(conflict(group.get(0)));
        lines.add(
            "  and %d more like this on %s: %s"
                .formatted(group.size() - 1, object(group.get(0)), counts(group)));
      }
      lines.add("  what to do: " + remedy(group));
    }
  }

  /** Whose the variable is: a class for its fields, else the variable without its elements. */
  private static String object(Conflict conflict) {
    String variable = conflict.variable().replace("[*]", "");
    int dot = variable.lastIndexOf('.');
    boolean isField = dot > 0 && !variable.contains("(") && !variable.contains(" ");
    return isField ? variable.substring(0, dot) : variable;
  }

  private static String counts(List<Conflict> group) {
    Map<String, Long> counts =
        group.stream()
            .collect(
                Collectors.groupingBy(Conflict::variable, TreeMap::new, Collectors.counting()));
    String named =
        counts.entrySet().stream()
            .limit(NAMED_MAX)
            .map(each -> each.getKey() + " (" + each.getValue() + ")")
            .collect(Collectors.joining(", "));
    return named
        + (counts.size() > NAMED_MAX ? " and " + (counts.size() - NAMED_MAX) + " others" : "");
  }

  private static String remedy(List<Conflict> group) {
    Conflict first = group.get(0);
    Conflict.Type type = first.type();
    if (type == Conflict.Type.ANOMALY
        && group.stream().allMatch(conflict -> calls(conflict, any -> true))) {
      return "give each block its own, or use one that synchronises itself (java.util.concurrent)";
    }
    if (type == Conflict.Type.LOCK_ORDERED && first.variable().startsWith("System.")) {
      return "print in one block" + OR_MASK;
    }
    if (type == Conflict.Type.LOCK_ORDERED
        && group.stream().anyMatch(conflict -> calls(conflict, CLAIMS::contains))) {
      return "fork a task for each piece of work instead of letting blocks claim them" + OR_MASK;
    }
    return type.advice();
  }

  /** Whether both accesses are calls of such library methods. */
  private static boolean calls(Conflict conflict, Predicate<String> methods) {
    return Stream.of(conflict.source(), conflict.sink())
        .map(Conflict.End::call)
        .allMatch(call -> !call.isEmpty() && methods.test(call.substring(call.indexOf('.') + 1)));
  }

  private static List<String> conflict(Conflict conflict) {
    List<String> lines = new ArrayList<>();
    String element =
        conflict.example().equals(conflict.variable()) ? "" : ", for example " + conflict.example();
    lines.add(
        conflict.kind().text()
            + " "
            + conflict.variable()
            + element
            + " ("
            + conflict.type().words()
            + ", id "
            + conflict.id()
            + ")");
    if (conflict.type() == Conflict.Type.MISUSE) {
      end("at", conflict.source(), lines);
    } else {
      end("first", conflict.source(), lines);
      end("then", conflict.sink(), lines);
    }
    return lines;
  }

  private static void end(String word, Conflict.End end, List<String> lines) {
    lines.add(
        "  "
            + word
            + ": "
            + end.place()
            + " in "
            + end.method()
            + (end.call().isEmpty() ? "" : ", " + end.call() + "()")
            + ", "
            + end.block().text()
            + (end.locks().isEmpty() ? "" : ", holding " + String.join(", ", end.locks())));
    end.stack().forEach(frame -> lines.add("      at " + frame));
  }

  /**
   * The sentence about every schedule. It is made here alone, and only if there is neither a
   * conflict nor an obstacle.
   */
  public static String summary(AnomalyVerdict verdict) {
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
