package org.reprise.viewer.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.reprise.findings.Finding;
import org.reprise.findings.Passage;
import org.reprise.findings.Report;
import org.reprise.findings.Rule;
import org.reprise.findings.TaskAccess;
import org.reprise.trace.Location;

/** What {@code check} found, as a page. What its scripts do is tested in a browser. */
class AnomaliesPageTest {
  private static TaskAccess.Task task(int id, String what, long forked, long joined) {
    return new TaskAccess.Task(
        id,
        what,
        forked == 0 ? OptionalLong.empty() : OptionalLong.of(forked),
        joined == 0 ? OptionalLong.empty() : OptionalLong.of(joined));
  }

  private static final TaskAccess.Task MAIN = task(1, "the first thread", 0, 0);

  private static Passage passage(
      String words, String method, int line, String kind, long moment, TaskAccess.Task... tasks) {
    return new Passage(
        words,
        List.of(Location.of(method, "acme/Hits.java", line)),
        Optional.of(new TaskAccess(kind, moment, List.of(tasks))));
  }

  private static final Finding CONFLICT =
      new Finding(
          Rule.ANOMALY,
          "8655c6d2",
          "WRITE-WRITE Hits.found",
          1,
          List.of(
              passage(
                  "This write in iteration 51 of the loop at Hits.java:2, by List.add():",
                  "Hits.work<int>",
                  2,
                  "write",
                  8,
                  MAIN,
                  task(8, "iteration 51 of the loop at Hits.java:2", 4, 20)),
              passage(
                  "It met the write in iteration 50 of the loop at Hits.java:2:",
                  "Hits.other</script>",
                  3,
                  "write",
                  7,
                  MAIN,
                  task(7, "iteration 50 of the loop at Hits.java:2", 4, 20))),
          List.of());

  private static final Finding ORDERED =
      new Finding(
          Rule.LOCK_ORDERED,
          "4922a196",
          "WRITE-READ Hits.count",
          1,
          List.of(
              passage(
                  "This read in the thread at Hits.java:3:",
                  "Hits.main",
                  3,
                  "read",
                  24,
                  MAIN,
                  task(24, "the thread at Hits.java:3", 21, 0)),
              passage("It met the write in the first thread:", "Hits.main", 4, "write", 22, MAIN)),
          List.of());

  /** Two conflicts: one in a loop that is joined, one with a thread that is not. */
  static final Report REPORT =
      new Report(
          "java Hits",
          List.of(CONFLICT, ORDERED),
          1,
          List.of("a note"),
          new Report.Verdict("anomalies", "2 findings", List.of()));

  @TempDir Path directory;

  @Test
  void bothSourceLinesOfAConflictAreOnIt() throws Exception {
    Files.createDirectories(directory.resolve("acme"));
    Files.writeString(
        directory.resolve("acme/Hits.java"), "class Hits {\n  found.add(i);\n  other();\n}\n");
    assertThat(AnomaliesPage.of(REPORT, 10, List.of(directory)))
        .contains("<span class=\"here\"><span class=\"number\">2</span>  found.add(i);</span>")
        .contains("<span class=\"here\"><span class=\"number\">3</span>  other();</span>");
  }

  @Test
  void itNeedsNothingElseAndTakesNamesAsText() {
    String page = AnomaliesPage.of(REPORT, 10, List.of());
    assertThat(page).doesNotContain("http:", "https:", "src=", "url(");
    assertThat(page).contains("work&lt;int&gt;").doesNotContain("work<int>");
    assertThat(page).doesNotContain("other</script>");
    assertThat(page).contains("2 findings", "Suppressed: 1 finding", "<li>a note</li>");
    assertThat(AnomaliesPage.of(REPORT, 1, List.of()))
        .contains("2 findings, 1 shown")
        .doesNotContain("lock-ordered");
  }
}
