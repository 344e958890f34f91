package org.reprise.anomaly.agent.report;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The verdict in words, as the agent prints it where nobody else reads it. */
public final class VerdictText {
  /** As classes without the names of local variables have it. */
  private static final Pattern WITHOUT_NAME = Pattern.compile("^(parameter|local) \\d+ of ");

  private VerdictText() {}

  public static List<String> of(Verdict verdict) {
    List<String> lines = new ArrayList<>();
    verdict.anomalies().forEach(finding -> lines.addAll(finding(finding)));
    verdict.lockOrdered().forEach(finding -> lines.addAll(finding(finding)));
    verdict.obstacles().forEach(obstacle -> lines.add("in the way: " + obstacle.text()));
    if (Stream.concat(verdict.anomalies().stream(), verdict.lockOrdered().stream())
        .anyMatch(finding -> WITHOUT_NAME.matcher(finding.variable()).find())) {
      lines.add("variables are shown by their numbers: compile with -g to see their names");
    }
    lines.add(summary(verdict));
    return lines;
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
    lines.add("  " + end(finding.source()));
    if (finding.type() != Finding.Type.MISUSE) {
      lines.add("  " + end(finding.sink()));
    }
    return lines;
  }

  private static String words(Finding.Type type) {
    return switch (type) {
      case ANOMALY -> "anomaly";
      case INCONSISTENT_LOCKING -> "anomaly: the accesses hold no common lock";
      case MISUSE -> "anomaly: the result depends on how the stream is split";
      case LOCK_ORDERED -> "lock-ordered: who comes first is left to chance";
    };
  }

  private static String end(Finding.End end) {
    String locks = end.locks().isEmpty() ? "" : ", holding " + String.join(", ", end.locks());
    return end.site().place() + " in " + end.site().method() + ", " + end.block() + locks;
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
              + (obstacles == 1 ? "one thing stands" : obstacles + " things stand")
              + " in the way";
    };
  }
}
