package org.reprise.analysis;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.reprise.findings.Finding;
import org.reprise.findings.Passage;
import org.reprise.findings.Report;
import org.reprise.findings.Rule;
import org.reprise.findings.Suppression;
import org.reprise.findings.Suppressions;
import org.reprise.launch.check.AnomalyReport;
import org.reprise.launch.check.AnomalyReport.Access;
import org.reprise.launch.check.AnomalyReport.Conflict;
import org.reprise.launch.check.CheckedRun;
import org.reprise.trace.Location;

/**
 * What {@code check} found, over all virtual machines that the command started. Text and JSON are
 * the agent's own, which has to say them where nobody reads its report; SARIF and the page are
 * those of all findings.
 */
public final class CheckReport {
  /** A frame as Java prints it: {@code app//com.acme.Solver.step(Solver.java:88)}. */
  private static final Pattern FRAME =
      Pattern.compile("(?:.*/)?([^/(]+)\\.([^.(]+)\\(([^:)]*)(?::(\\d+))?\\)");

  private final CheckedRun run;

  public CheckReport(CheckedRun run) {
    this.run = run;
  }

  /** Findings, obstacles, and at the end the verdict. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    for (AnomalyReport report : run.reports()) {
      int last = Math.max(0, report.lines().size() - 1);
      lines.addAll(report.lines().subList(0, last));
    }
    run.unseenFailure().ifPresent(failure -> lines.add("prevents validation: " + failure));
    lines.addAll(unmatched());
    lines.add(Claims.ofSchedules(run).sentence());
    return lines;
  }

  /**
   * What changes no verdict: lines of the mask file that hide nothing. A line that one of several
   * virtual machines needed is not among them, nor is one that is there for races.
   */
  public List<String> unmatched() {
    return run.all(AnomalyReport::unmatched).stream()
        .distinct()
        .filter(mask -> run.reports().stream().allMatch(one -> one.unmatched().contains(mask)))
        .filter(mask -> Suppression.isFor(Rule.OF_ANOMALIES, mask.mask()))
        .map(mask -> Suppressions.unmatched("mask", mask.mask(), mask.place()))
        .toList();
  }

  public String json() {
    Report.Verdict verdict = Claims.ofSchedules(run);
    return run.reports().stream()
        .map(AnomalyReport::json)
        .collect(
            Collectors.joining(
                ",",
                "{\"exit\":%d,\"verdict\":\"%s\",%s\"reports\":["
                    .formatted(
                        run.exitStatus(),
                        verdict.word(),
                        run.reports().isEmpty()
                            ? "\"reason\":\"" + verdict.withheld().getFirst() + "\","
                            : ""),
                "]}"));
  }

  /**
   * In the form that all findings have.
   *
   * @param subject the command
   */
  public Report report(String subject) {
    List<String> notes =
        Stream.concat(
                run.obstacles().stream().map(obstacle -> "prevents validation: " + obstacle),
                unmatched().stream())
            .toList();
    return new Report(
        subject,
        Stream.concat(
                run.all(AnomalyReport::anomalies).stream(),
                run.all(AnomalyReport::lockOrdered).stream())
            .map(CheckReport::finding)
            .toList(),
        run.all(AnomalyReport::masked).size(),
        notes,
        Claims.ofSchedules(run));
  }

  /** The place to look at is where the conflict came to light: at the sink. */
  private static Finding finding(Conflict conflict) {
    Rule rule = rule(conflict.type());
    List<Passage> passages = new ArrayList<>();
    if (rule == Rule.MISUSE) {
      passages.add(passage("Called in ", conflict.source()));
    } else {
      String[] kinds = conflict.kind().toLowerCase(Locale.ROOT).split("-", 2);
      if (kinds.length < 2) {
        throw AnomalyReport.damaged("a conflict of kind " + conflict.kind());
      }
      passages.add(passage("This " + kinds[1] + " in ", conflict.sink()));
      passages.add(passage("It met the " + kinds[0] + " in ", conflict.source()));
    }
    String element =
        conflict.example().equals(conflict.variable()) ? "" : ", for example " + conflict.example();
    return new Finding(
        rule,
        conflict.id(),
        conflict.kind() + " " + conflict.variable() + element,
        1,
        passages,
        List.of());
  }

  private static Rule rule(String type) {
    return Rule.OF_ANOMALIES.stream()
        .filter(rule -> rule.name().equals(type.toUpperCase(Locale.ROOT).replace('-', '_')))
        .findFirst()
        .orElseThrow(() -> AnomalyReport.damaged("a conflict of type " + type));
  }

  private static Passage passage(String words, Access access) {
    List<Location> stack = new ArrayList<>();
    access.stack().forEach(frame -> stack.add(location(frame)));
    Location place =
        location(
            access.className(),
            access.method(),
            access.file(),
            access.line() > 0 ? OptionalInt.of(access.line()) : OptionalInt.empty());
    if (stack.isEmpty() || !stack.getFirst().equals(place)) {
      stack.addFirst(place);
    }
    return new Passage(
        words
            + access.block()
            + (access.call().isEmpty() ? "" : ", by " + access.call() + "()")
            + (access.locks().isEmpty() ? "" : ", holding " + String.join(", ", access.locks()))
            + ":",
        stack);
  }

  private static Location location(String frame) {
    Matcher parts = FRAME.matcher(frame);
    return parts.matches()
        ? location(
            parts.group(1),
            parts.group(2),
            parts.group(3).contains(" ") ? "" : parts.group(3), // "Unknown Source"
            parts.group(4) == null
                ? OptionalInt.empty()
                : OptionalInt.of(Integer.parseInt(parts.group(4))))
        : new Location(Optional.of(frame), Optional.empty(), OptionalInt.empty(), Optional.empty());
  }

  /** A class file names its source without the directory, which mostly is that of the package. */
  private static Location location(String className, String method, String file, OptionalInt line) {
    int dot = className.lastIndexOf('.');
    String folder = className.substring(0, dot + 1).replace('.', '/');
    return new Location(
        Optional.of(className + "." + method),
        file.isEmpty() ? Optional.empty() : Optional.of(folder + file),
        line,
        Optional.empty());
  }
}
