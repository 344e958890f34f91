package org.reprise.findings;

import java.io.PrintWriter;
import java.util.List;
import org.reprise.trace.Counted;
import org.reprise.trace.Location;

/** A report as one page that needs nothing else: no network, no scripts. */
public final class HtmlReport {
  private static final String HEAD =
      """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>%1$s</title>
      <style>
      :root { color-scheme: light dark; }
      body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
      code, ol { font-family: ui-monospace, monospace; font-size: 0.9rem; }
      details { border: 1px solid #8888; border-radius: 0.5rem; margin: 1rem 0; padding: 0.5rem 1rem; }
      summary { cursor: pointer; font-weight: 600; }
      ol { margin: 0.25rem 0 1rem; padding-left: 2.5rem; }
      </style>
      </head>
      <body>
      <h1>%1$s</h1>
      """;

  public static void print(Report report, int limit, PrintWriter out) {
    out.print(HEAD.formatted(escaped(report.subject())));
    out.println("<p>" + escaped(report.summary(limit)) + "</p>");
    if (report.suppressed() > 0) {
      out.println("<p>Suppressed: " + Counted.of(report.suppressed(), "finding") + "</p>");
    }
    if (!report.notes().isEmpty()) {
      out.println("<ul>");
      report.notes().forEach(note -> out.println("<li>" + escaped(note) + "</li>"));
      out.println("</ul>");
    }
    report.findings().stream().limit(limit).forEach(finding -> print(finding, out));
    out.println("</body>\n</html>");
  }

  private static void print(Finding finding, PrintWriter out) {
    out.println("<details open>");
    out.println(
        "<summary>"
            + escaped(finding.headline())
            + " <code>"
            + escaped(finding.place().text())
            + "</code></summary>");
    out.println("<p>" + escaped(finding.rule().meaning()) + "</p>");
    for (Passage passage : finding.passages()) {
      out.println("<p>" + escaped(passage.words()) + "</p>");
      print(passage.stack(), out);
    }
    finding.remarks().forEach(remark -> out.println("<p>" + escaped(remark) + "</p>"));
    out.println("<p>What to do: " + escaped(finding.rule().help()) + "</p>");
    out.println(
        "<p>To hide it, suppress <code>%s:%s</code>.</p>"
            .formatted(finding.rule().id(), finding.id()));
    out.println("</details>");
  }

  private static void print(List<Location> stack, PrintWriter out) {
    if (!stack.isEmpty()) {
      out.println("<ol start=\"0\">");
      stack.forEach(location -> out.println("<li>" + escaped(location.text()) + "</li>"));
      out.println("</ol>");
    }
  }

  /** Names come from programs: nothing of them is markup. */
  static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }

  private HtmlReport() {}
}
