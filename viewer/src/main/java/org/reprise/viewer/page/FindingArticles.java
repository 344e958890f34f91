package org.reprise.viewer.page;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.reprise.findings.Finding;
import org.reprise.findings.Passage;
import org.reprise.findings.Report;
import org.reprise.trace.Counted;
import org.reprise.trace.Location;
import org.reprise.viewer.answer.SourceExcerpt;

/**
 * Findings as a part of a page: the verdict, and an article for each finding with its places in the
 * source and their callers.
 */
public final class FindingArticles {
  private final Report report;
  private final int limit;
  private final List<Path> roots;
  private final StringBuilder html = new StringBuilder();

  private FindingArticles(Report report, int limit, List<Path> roots) {
    this.report = report;
    this.limit = limit;
    this.roots = roots;
  }

  /**
   * What was found, to be shown on a page.
   *
   * @param limit how many findings are shown at most
   * @param roots directories that source files are looked for in
   */
  public static String of(Report report, int limit, List<Path> roots) {
    FindingArticles page = new FindingArticles(report, limit, roots);
    page.print();
    return page.html.toString();
  }

  private void print() {
    line("<p class=\"verdict\">" + escaped(report.summary(limit)) + "</p>");
    if (report.suppressed() > 0) {
      line("<p>Suppressed: " + Counted.of(report.suppressed(), "finding") + "</p>");
    }
    if (!report.notes().isEmpty()) {
      line("<ul>");
      report.notes().forEach(note -> line("<li>" + escaped(note) + "</li>"));
      line("</ul>");
    }
    report.findings().stream().limit(limit).forEach(this::print);
  }

  private void print(Finding finding) {
    line(
        "<article class=\"finding "
            + finding.rule().level().name().toLowerCase(Locale.ROOT)
            + "\">");
    line(
        "<h2>"
            + escaped(finding.headline())
            + " <code>"
            + escaped(finding.place().text())
            + "</code></h2>");
    line("<p>" + escaped(finding.rule().meaning()) + "</p>");
    line("<div class=\"two\">");
    for (Passage passage : finding.passages()) {
      line("<section>");
      line("<h3>" + escaped(passage.words()) + "</h3>");
      passage.stack().stream()
          .findFirst()
          .flatMap(place -> SourceExcerpt.of(place, roots))
          .ifPresent(this::print);
      print(passage.stack());
      line("</section>");
    }
    line("</div>");
    finding.remarks().forEach(remark -> line("<p>" + escaped(remark) + "</p>"));
    line("<p>What to do: " + escaped(finding.rule().help()) + "</p>");
    line(
        "<p class=\"soft\">To hide it, suppress <code>%s:%s</code>.</p>"
            .formatted(finding.rule().id(), finding.id()));
    line("</article>");
  }

  private void print(SourceExcerpt excerpt) {
    html.append("<pre class=\"source\" tabindex=\"0\" aria-label=\"")
        .append(escaped(excerpt.file() + ", line " + excerpt.line()))
        .append("\">");
    for (int i = 0; i < excerpt.lines().size(); i++) {
      int number = excerpt.first() + i;
      html.append("<span class=\"")
          .append(number == excerpt.line() ? "here" : "")
          .append("\"><span class=\"number\">")
          .append(number)
          .append("</span>")
          .append(escaped(excerpt.lines().get(i)))
          .append("</span>");
    }
    line("</pre>");
  }

  private void print(List<Location> stack) {
    if (!stack.isEmpty()) {
      line("<ol start=\"0\">");
      stack.forEach(location -> line("<li>" + escaped(location.text()) + "</li>"));
      line("</ol>");
    }
  }

  private void line(String text) {
    html.append(text).append('\n');
  }

  /** Names come from programs: nothing of them is markup. */
  static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
