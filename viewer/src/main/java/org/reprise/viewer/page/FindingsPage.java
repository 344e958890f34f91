package org.reprise.viewer.page;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.reprise.findings.Finding;
import org.reprise.findings.Passage;
import org.reprise.findings.Report;
import org.reprise.findings.Rule;
import org.reprise.trace.Counted;
import org.reprise.trace.Location;
import org.reprise.viewer.answer.SourceExcerpt;

/**
 * Findings as a page with the looks of that of a run: what met, drawn as the tasks that did it
 * between their fork and their join, both source lines and both stacks. It needs no scripts.
 */
public final class FindingsPage {
  /** {@code This write in iteration 51 of the loop at Hits.java:6, by List.add():}. */
  private static final Pattern ACCESS =
      Pattern.compile("(?:This|It met the) (\\w+) in (.*?)(?:, by .*|, holding .*)?:");

  private static final Pattern DARK =
      Pattern.compile(":root\\[data-theme=\"dark\"](\\s*\\{[^}]*})");

  private final Report report;
  private final int limit;
  private final List<Path> roots;
  private final StringBuilder html = new StringBuilder();

  private FindingsPage(Report report, int limit, List<Path> roots) {
    this.report = report;
    this.limit = limit;
    this.roots = roots;
  }

  /**
   * A page of its own.
   *
   * @param limit how many findings are shown at most
   * @param roots directories that source files are looked for in
   */
  public static String of(Report report, int limit, List<Path> roots) {
    String style =
        new String(PageFiles.file("style.css").orElseThrow().content(), StandardCharsets.UTF_8);
    return """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
    <title>%1$s</title>
    <style>
    %2$s</style>
    </head>
    <body class="report">
    <header class="bar"><h1>%1$s</h1></header>
    <main>
    %3$s</main>
    </body>
    </html>
    """
        .formatted(escaped(report.subject()), style + dark(style), fragment(report, limit, roots));
  }

  /** The page has no script that chooses a theme, so the system does. */
  private static String dark(String style) {
    Matcher block = DARK.matcher(style);
    return block.find()
        ? "@media (prefers-color-scheme: dark) { :root" + block.group(1) + "}\n"
        : "";
  }

  /** The same, to be shown on another page. */
  public static String fragment(Report report, int limit, List<Path> roots) {
    FindingsPage page = new FindingsPage(report, limit, roots);
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
    draw(finding);
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

  /** The two tasks of a conflict as lanes from their fork to their join, and what met. */
  private void draw(Finding finding) {
    if (finding.passages().size() != 2 || !Rule.OF_ANOMALIES.contains(finding.rule())) {
      return;
    }
    Matcher sink = ACCESS.matcher(finding.passages().get(0).words());
    Matcher source = ACCESS.matcher(finding.passages().get(1).words());
    if (!sink.matches() || !source.matches()) {
      return;
    }
    String between =
        finding.rule() == Rule.LOCK_ORDERED
            ? "the schedule chooses which comes first"
            : "nothing orders them";
    line(
        "<svg class=\"tasks\" viewBox=\"0 0 760 150\" role=\"img\" aria-label=\"%s\">"
            .formatted(
                escaped(
                    "%s in %s and %s in %s: %s"
                        .formatted(
                            source.group(1),
                            source.group(2),
                            sink.group(1),
                            sink.group(2),
                            between))));
    line(
        "<path class=\"order\" d=\"M20 75C60 75 50 35 90 35H670C710 35 700 75 740 75"
            + "M20 75C60 75 50 115 90 115H670C710 115 700 75 740 75\"/>");
    line("<circle class=\"joint\" cx=\"20\" cy=\"75\" r=\"6\"/>");
    line("<circle class=\"joint\" cx=\"740\" cy=\"75\" r=\"6\"/>");
    line("<text x=\"8\" y=\"100\">fork</text><text x=\"728\" y=\"100\">join</text>");
    lane(35, 300, source, finding.passages().get(1));
    lane(115, 440, sink, finding.passages().get(0));
    line("<path class=\"clash\" d=\"M306 46L434 104\"/>");
    line("<text class=\"clash\" x=\"392\" y=\"74\">%s</text>".formatted(escaped(between)));
    line("</svg>");
  }

  private void lane(int y, int at, Matcher access, Passage passage) {
    line(
        "<rect class=\"task\" x=\"110\" y=\"%d\" width=\"540\" height=\"22\" rx=\"4\"/>"
            .formatted(y - 11));
    line("<text x=\"120\" y=\"%d\">%s</text>".formatted(y - 16, escaped(access.group(2))));
    line("<circle class=\"access\" cx=\"%d\" cy=\"%d\" r=\"7\"/>".formatted(at, y));
    String place = passage.stack().isEmpty() ? "" : " " + passage.stack().getFirst().where();
    line(
        "<text x=\"%d\" y=\"%d\">%s</text>"
            .formatted(at + 14, y + 4, escaped(access.group(1) + place)));
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
  private static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
