package org.reprise.viewer.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.reprise.findings.Finding;
import org.reprise.findings.Passage;
import org.reprise.findings.Report;
import org.reprise.findings.Rule;
import org.reprise.trace.Location;

/** Findings as a page. */
class FindingsPageTest {
  private static final Finding CONFLICT =
      new Finding(
          Rule.ANOMALY,
          1,
          List.of(
              new Passage(
                  "This write in iteration 51 of the loop at Hits.java:2, by List.add():",
                  List.of(Location.of("Hits.work<int>", "acme/Hits.java", 2))),
              new Passage(
                  "It met the write in iteration 50 of the loop at Hits.java:2:",
                  List.of(Location.of("Hits.other", "acme/Hits.java", 3)))),
          List.of());

  private static final Finding RACE =
      new Finding(
          Rule.MESSAGE_RACE,
          2,
          List.of(new Passage("This receive:", List.of(Location.of("main", "race.c", 9)))),
          List.of());

  private static final Report REPORT =
      new Report(
          "java Hits",
          List.of(CONFLICT, RACE),
          1,
          List.of("a note"),
          new Report.Verdict("anomalies", "2 findings", List.of()));

  @TempDir Path directory;

  @Test
  void aConflictIsDrawnAsTwoTasksWithBothSourceLines() throws Exception {
    Files.createDirectories(directory.resolve("acme"));
    Files.writeString(
        directory.resolve("acme/Hits.java"), "class Hits {\n  found.add(i);\n  other();\n}\n");
    String page = FindingsPage.of(REPORT, 10, List.of(directory));
    assertThat(page)
        .contains("<text x=\"120\" y=\"19\">iteration 50 of the loop at Hits.java:2</text>")
        .contains("<text x=\"120\" y=\"99\">iteration 51 of the loop at Hits.java:2</text>")
        .contains("nothing orders them")
        .contains("<span class=\"here\"><span class=\"number\">2</span>  found.add(i);</span>")
        .contains("<span class=\"here\"><span class=\"number\">3</span>  other();</span>");
    assertThat(page.split("<svg", -1)).as("a race has no tasks").hasSize(2);
  }

  @Test
  void itNeedsNothingElseAndTakesNamesAsText() {
    String page = FindingsPage.of(REPORT, 10, List.of());
    assertThat(page).doesNotContain("http:", "https:", "<script", "src=", "url(");
    assertThat(page).contains("work&lt;int&gt;").doesNotContain("work<int>");
    assertThat(page).contains("2 findings", "Suppressed: 1 finding", "<li>a note</li>");
    assertThat(FindingsPage.of(REPORT, 1, List.of()))
        .contains("2 findings, 1 shown")
        .doesNotContain("message-race");
  }
}
