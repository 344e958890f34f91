package org.reprise.findings;

import java.io.PrintWriter;
import java.util.List;
import org.reprise.trace.Counted;
import org.reprise.trace.Location;

/** A report in the shape that people know from ThreadSanitizer. */
public final class TextReport {
  private static final String FENCE = "==================";

  /** Prints so many findings at most, and at the end the verdict. */
  public static void print(Report report, int limit, PrintWriter out) {
    report.findings().stream().limit(limit).forEach(finding -> print(finding, out));
    report.notes().forEach(note -> out.println("Note: " + note));
    if (report.suppressed() > 0) {
      out.println("Suppressed: " + Counted.of(report.suppressed(), "finding"));
    }
    out.println(report.subject() + ": " + report.summary(limit));
  }

  private static void print(Finding finding, PrintWriter out) {
    out.println(FENCE);
    out.println("WARNING: Reprise: " + finding.headline());
    for (Passage passage : finding.passages()) {
      out.println("  " + passage.words());
      List<Location> stack = passage.stack();
      for (int i = 0; i < stack.size(); i++) {
        out.println("    #" + i + " " + stack.get(i).text());
      }
      out.println();
    }
    finding.remarks().forEach(remark -> out.println("  " + remark));
    out.println(
        "SUMMARY: Reprise: "
            + finding.rule().title()
            + " "
            + finding.place().where()
            + finding.place().function().map(function -> " in " + function).orElse(""));
    out.println(FENCE);
  }

  private TextReport() {}
}
