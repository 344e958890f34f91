package org.reprise.analysis;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.reprise.anomaly.report.AnomalyText;
import org.reprise.anomaly.report.AnomalyVerdict;
import org.reprise.anomaly.report.Conflict;
import org.reprise.anomaly.report.Lineage;
import org.reprise.anomaly.report.Mask;
import org.reprise.anomaly.report.Obstacle;
import org.reprise.findings.Finding;
import org.reprise.findings.Passage;
import org.reprise.findings.Report;
import org.reprise.findings.Rule;
import org.reprise.findings.TaskAccess;
import org.reprise.launch.check.AnomalyReport;
import org.reprise.launch.check.CheckedRun;
import org.reprise.trace.Location;

/**
 * What {@code check} found, over all virtual machines that the command started. The text is what
 * the agent prints alone, the JSON what each of them wrote; SARIF and the page are those of all
 * findings.
 */
public final class CheckReport {
  /** A frame as Java prints it: {@code app//com.acme.Solver.step(Solver.java:88)}. */
  private static final Pattern FRAME =
      Pattern.compile("(?:.*/)?([^/(]+)\\.([^.(]+)\\(([^:)]*)(?::(\\d+))?\\)");

  /** Each virtual machine counts its tags for itself, and has fewer than that. */
  private static final long TAGS = 1L << 31;

  private final CheckedRun run;
  private final AnomalyVerdict verdict;

  public CheckReport(CheckedRun run) {
    this.run = run;
    this.verdict = run.verdict();
  }

  /** Findings, obstacles, and at the end the verdict. */
  public List<String> lines() {
    return AnomalyText.ofRun(verdict);
  }

  /** What changes no verdict: lines of the mask file that hide nothing. */
  public List<String> unmatched() {
    return verdict.unmatched().stream().map(Mask.Entry::complaint).toList();
  }

  public AnomalyVerdict.Word word() {
    return verdict.word();
  }

  public String json() {
    String reason =
        run.reports().isEmpty()
            ? "\"reason\":\"" + verdict.obstacles().getFirst().text() + "\","
            : "";
    return run.reports().stream()
        .map(AnomalyReport::json)
        .collect(
            Collectors.joining(
                ",",
                "{\"exit\":%d,\"verdict\":\"%s\",%s\"reports\":["
                    .formatted(run.exitStatus(), verdict.word().text(), reason),
                "]}"));
  }

  /**
   * In the form that all findings have.
   *
   * @param subject the command
   */
  public Report report(String subject) {
    List<String> obstacles = verdict.obstacles().stream().map(Obstacle::text).toList();
    List<String> notes =
        Stream.concat(verdict.obstacles().stream().map(Obstacle::sentence), unmatched().stream())
            .toList();
    return new Report(
        subject,
        Stream.concat(findings(AnomalyVerdict::anomalies), findings(AnomalyVerdict::lockOrdered))
            .toList(),
        verdict.masked().size(),
        notes,
        new Report.Verdict(verdict.word().text(), AnomalyText.summary(verdict), obstacles));
  }

  private Stream<Finding> findings(Function<AnomalyVerdict, List<Conflict>> kind) {
    return IntStream.range(0, run.reports().size())
        .boxed()
        .flatMap(
            machine ->
                kind.apply(run.reports().get(machine).verdict()).stream()
                    .map(conflict -> finding(conflict, machine * TAGS)));
  }

  /** The place to look at is where the conflict came to light: at the sink. */
  private static Finding finding(Conflict conflict, long firstTag) {
    List<Passage> passages = new ArrayList<>();
    if (conflict.type() == Conflict.Type.MISUSE) {
      passages.add(passage("Called in ", "call", conflict.source(), firstTag));
    } else {
      String[] kinds = conflict.kind().text().toLowerCase(Locale.ROOT).split("-", 2);
      passages.add(passage("This " + kinds[1] + " in ", kinds[1], conflict.sink(), firstTag));
      passages.add(
          passage("It met the " + kinds[0] + " in ", kinds[0], conflict.source(), firstTag));
    }
    String element =
        conflict.example().equals(conflict.variable()) ? "" : ", for example " + conflict.example();
    return new Finding(
        Rule.valueOf(conflict.type().name()),
        conflict.id(),
        conflict.kind().text() + " " + conflict.variable() + element,
        1,
        passages,
        List.of());
  }

  private static Passage passage(String words, String kind, Conflict.End access, long firstTag) {
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
            + access.block().text()
            + (access.call().isEmpty() ? "" : ", by " + access.call() + "()")
            + (access.locks().isEmpty() ? "" : ", holding " + String.join(", ", access.locks()))
            + ":",
        stack,
        Optional.of(
            new TaskAccess(
                kind, firstTag + access.block().tag(), tasks(access.block(), firstTag))));
  }

  private static List<TaskAccess.Task> tasks(Lineage block, long firstTag) {
    return block.tasks().stream()
        .map(
            task ->
                new TaskAccess.Task(
                    firstTag + task.id(),
                    task.text(),
                    later(task.forked(), firstTag),
                    later(task.joined(), firstTag)))
        .toList();
  }

  private static OptionalLong later(OptionalLong tag, long by) {
    return tag.isPresent() ? OptionalLong.of(by + tag.getAsLong()) : tag;
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
