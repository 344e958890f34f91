package org.reprise.cli.report;

import java.io.PrintWriter;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.reprise.cli.report.RunReport.RankReport;
import org.reprise.cli.terminal.EndingText;
import org.reprise.cli.terminal.Session;
import org.reprise.cli.terminal.Table;
import org.reprise.cli.terminal.Terminal;
import org.reprise.trace.file.RankHeader;
import org.reprise.trace.file.Wire;
import org.reprise.trace.run.Ending;
import org.reprise.trace.run.RunDescription;
import org.reprise.trace.text.PlainText;
import org.reprise.trace.text.ShellWords;
import org.reprise.trace.text.Words;
import picocli.CommandLine.Help.Ansi.Style;

/** A {@link RunReport} for people: what was run, a table of ranks, and what they called. */
public final class RunReportText {
  /** With more ranks than these, a column for each would not fit on a screen. */
  private static final int RANK_COLUMNS_MAX = 8;

  private final Terminal terminal;
  private final Session session;
  private final RunReport report;
  private final PrintWriter out;

  public RunReportText(Session session, RunReport report) {
    this.session = session;
    this.terminal = session.terminal();
    this.report = report;
    this.out = terminal.out();
  }

  public void print() {
    out.println(terminal.out(Style.bold, report.run().name()));
    printDescription(report.description());
    if (report.trouble().isPresent()) {
      out.println();
      out.println(report.trouble().get().cause() + ": " + report.trouble().get().found());
      return;
    }
    printRanks();
    printCounts("CALLS", RankReport::calls, call -> call);
    printCounts("OUTCOMES", RankReport::outcomes, Words::word);
  }

  private void printDescription(RunDescription run) {
    line("command", ShellWords.join(run.command()));
    line("directory", PlainText.line(run.directory()));
    run.program().ifPresent(program -> line("program", PlainText.line(program.path())));
    boolean seen = report.jobSize() > 0 || run.ending() instanceof Ending.Unfinished;
    line("MPI", seen ? PlainText.line(run.mpi().version()) : "none was seen");
    if (!report.hosts().isEmpty()) {
      line("hosts", PlainText.line(String.join(", ", report.hosts())));
    }
    line("started", session.when(run.started()));
    run.took().ifPresent(took -> line("took", Words.seconds(took)));
    line("ended", report.recording() ? "is being recorded" : EndingText.sentence(run.ending()));
    line("kept", kept(run) + ", " + Words.bytes(report.bytesOnDisk()));
    run.distilledFrom().ifPresent(from -> line("distilled", "from " + PlainText.line(from)));
    run.parent().ifPresent(parent -> line("parent", PlainText.line(parent)));
    run.change().ifPresent(change -> line("change", PlainText.line(change.words())));
    run.jitterSeed().ifPresent(seed -> line("jitter", "seed " + seed));
    line("by", "Reprise " + PlainText.line(run.repriseVersion()));
  }

  private String kept(RunDescription run) {
    List<String> kept = new ArrayList<>(List.of("order"));
    if (run.inputs()) {
      kept.add("inputs");
    }
    if (run.stdinKept()) {
      kept.add("standard input");
    }
    boolean events =
        report.ranks().stream().anyMatch(one -> Files.exists(report.run().eventsFile(one.rank())));
    if (events) {
      kept.add("events");
    }
    return String.join(", ", kept);
  }

  private void line(String label, String text) {
    out.println("  %-9s  %s".formatted(label, text));
  }

  private void printRanks() {
    Table table =
        new Table(
            List.of(
                ">RANK",
                "STATE",
                ">EXIT",
                "HOST",
                ">CALLS",
                ">RECEIVES",
                ">WILDCARD",
                ">OUTCOMES",
                ">FAILED POLLS",
                ">BYTES",
                "NOTES"));
    for (RankReport rank : report.ranks()) {
      table.add(
          List.of(
              String.valueOf(rank.rank().number()),
              rank.state(),
              exit(rank),
              rank.header().host(),
              String.valueOf(rank.summary().calls()),
              String.valueOf(rank.summary().receives()),
              String.valueOf(rank.summary().wildcardReceives()),
              String.valueOf(rank.outcomesInAll()),
              String.valueOf(rank.summary().failedPolls()),
              String.valueOf(rank.summary().bytes()),
              notes(rank.header())));
    }
    out.println();
    table.lines().forEach(out::println);
    if (!report.withoutTrace().isEmpty()) {
      out.println(Words.ranks(report.withoutTrace()) + " left no trace");
    }
  }

  private static String exit(RankReport rank) {
    return rank.exit().isPresent() ? String.valueOf(rank.exit().getAsInt()) : "?";
  }

  /** What a reader should know of a rank; EXIT_SEEN is what the column before is about. */
  private static String notes(RankHeader header) {
    return header.flags().stream()
        .filter(flag -> flag != Wire.Flag.EXIT_SEEN && flag != Wire.Flag.REACHED_END)
        .map(Words::word)
        .collect(Collectors.joining(", "));
  }

  private <K extends Comparable<? super K>> void printCounts(
      String title, Function<RankReport, Map<K, Long>> counts, Function<K, String> inWords) {
    SortedSet<K> names = new TreeSet<>();
    report.ranks().forEach(rank -> names.addAll(counts.apply(rank).keySet()));
    if (names.isEmpty()) {
      return;
    }
    boolean each = report.ranks().size() <= RANK_COLUMNS_MAX;
    List<String> titles = new ArrayList<>(List.of(title, ">ALL"));
    if (each) {
      report.ranks().forEach(rank -> titles.add(">RANK " + rank.rank().number()));
    } else {
      titles.addAll(List.of(">FEWEST", ">MOST"));
    }
    Table table = new Table(titles);
    for (K name : names) {
      List<Long> numbers =
          report.ranks().stream().map(rank -> counts.apply(rank).getOrDefault(name, 0L)).toList();
      List<String> row = new ArrayList<>();
      row.add(inWords.apply(name));
      row.add(String.valueOf(numbers.stream().mapToLong(Long::longValue).sum()));
      if (each) {
        numbers.forEach(number -> row.add(number == 0 ? "-" : String.valueOf(number)));
      } else {
        row.add(String.valueOf(numbers.stream().mapToLong(Long::longValue).min().orElse(0)));
        row.add(String.valueOf(numbers.stream().mapToLong(Long::longValue).max().orElse(0)));
      }
      table.add(row);
    }
    out.println();
    table.lines().forEach(out::println);
  }
}
