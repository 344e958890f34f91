package org.reprise.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.reprise.analysis.CheckReport;
import org.reprise.anomaly.agent.instrument.program.Site;
import org.reprise.anomaly.agent.report.Finding;
import org.reprise.anomaly.agent.report.Mask;
import org.reprise.anomaly.agent.report.Obstacle;
import org.reprise.anomaly.agent.report.Verdict;
import org.reprise.anomaly.agent.report.VerdictJson;
import org.reprise.anomaly.agent.report.VerdictText;
import org.reprise.findings.Report;
import org.reprise.findings.SarifReport;
import org.reprise.launch.check.AnomalyReport;
import org.reprise.launch.check.AnomalyReport.Access;
import org.reprise.launch.check.AnomalyReport.Conflict;
import org.reprise.launch.check.AnomalyReport.UnmatchedMask;
import org.reprise.launch.check.CheckedRun;
import org.reprise.trace.UserError;
import org.reprise.viewer.page.FindingsPage;

class CheckReportTest {
  private static CheckReport ended(int status) {
    AnomalyReport validated =
        new AnomalyReport(
            "validated",
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of("validated: every schedule computes the same on this input"),
            "{\"verdict\":\"validated\"}");
    return new CheckReport(new CheckedRun(status, List.of(validated)));
  }

  @Test
  void aProgramThatEndsWellAndHasNoAnomalyIsValidated() {
    assertThat(ended(0).lines())
        .containsExactly("validated: every schedule computes the same on this input");
    assertThat(ended(0).json()).startsWith("{\"exit\":0,\"verdict\":\"validated\",");
  }

  /** The agent alone prints the same. */
  @Test
  void whatOneVirtualMachineFoundIsSaidInTheWordsOfItsAgent() {
    List<String> words =
        List.of(
            "WRITE-WRITE Grid.hits (anomaly, id 1)",
            "  first: Grid.java:3 in main, the first thread",
            "  then: Grid.java:5 in lambda$main$0, the thread at Grid.java:4",
            "1 anomaly");
    assertThat(found(words).lines()).isEqualTo(words);
  }

  @Test
  void whatSeveralVirtualMachinesFoundIsAddedUp() {
    AnomalyReport one =
        report("anomalies", List.of(conflict()), List.of(), List.of("a", "1 anomaly"));
    AnomalyReport other =
        report("anomalies", List.of(conflict()), List.of(), List.of("b", "1 anomaly"));
    assertThat(new CheckReport(new CheckedRun(0, List.of(one, other))).lines())
        .containsExactly("a", "b", "2 anomalies");
    AnomalyReport trusting =
        report(
            "validated", List.of(), List.of("com.acme"), List.of("validated, trusting com.acme"));
    assertThat(new CheckReport(new CheckedRun(0, List.of(trusting, trusting))).lines())
        .containsExactly(
            "validated, trusting com.acme: every schedule computes the same on this input");
  }

  private static Conflict conflict() {
    Access end =
        new Access("Grid", "main", "Grid.java", 3, "", "the first thread", List.of(), List.of());
    return new Conflict("1", "anomaly", "WRITE-WRITE", "hits", "hits", end, end);
  }

  @Test
  void aConflictOfATypeThatNobodyKnowsIsADamagedReport() {
    Access end =
        new Access("Grid", "main", "Grid.java", 3, "", "the first thread", List.of(), List.of());
    for (Conflict unknown :
        List.of(
            new Conflict("1", "surprise", "WRITE-WRITE", "hits", "hits", end, end),
            new Conflict("1", "anomaly", "SURPRISE", "hits", "hits", end, end))) {
      AnomalyReport report = report("anomalies", List.of(unknown), List.of(), List.of());
      CheckReport checked = new CheckReport(new CheckedRun(0, List.of(report)));
      assertThatThrownBy(() -> checked.report("java Grid"))
          .isInstanceOf(UserError.class)
          .hasMessageContaining("the report of the anomaly agent cannot be read");
    }
  }

  private static CheckReport found(List<String> lines) {
    AnomalyReport report = report("anomalies", List.of(conflict()), List.of(), lines);
    return new CheckReport(new CheckedRun(0, List.of(report)));
  }

  private static AnomalyReport report(
      String verdict, List<Conflict> anomalies, List<String> trusted, List<String> lines) {
    return new AnomalyReport(
        verdict, anomalies, List.of(), List.of(), List.of(), List.of(), trusted, lines, "{}");
  }

  @Test
  void aMaskThatNoVirtualMachineNeedsIsNamed() {
    UnmatchedMask typo = new UnmatchedMask("Grid.hist", "masks.txt:3");
    UnmatchedMask ofRaces = new UnmatchedMask("message-race:gather", "masks.txt:4");
    UnmatchedMask matchedElsewhere = new UnmatchedMask("Grid.hits", "masks.txt:2");
    CheckReport report =
        new CheckReport(
            new CheckedRun(
                0, List.of(unmatched(typo, matchedElsewhere, ofRaces), unmatched(typo, ofRaces))));
    assertThat(report.lines())
        .containsExactly(
            "the mask 'Grid.hist' (masks.txt:3) matched nothing",
            "validated: every schedule computes the same on this input");
  }

  private static AnomalyReport unmatched(UnmatchedMask... masks) {
    return new AnomalyReport(
        "validated",
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(masks),
        List.of(),
        List.of("validated: every schedule computes the same on this input"),
        "{}");
  }

  @Test
  void whereNobodyReportedTheReasonIsGiven() {
    CheckReport report = new CheckReport(new CheckedRun(0, List.of()));
    String reason = "no virtual machine reported; it was killed, or the command starts none";
    assertThat(report.lines()).containsExactly("not validated: " + reason);
    assertThat(report.json())
        .isEqualTo(
            "{\"exit\":0,\"verdict\":\"not validated\",\"reason\":\""
                + reason
                + "\",\"reports\":[]}");
    assertThat(ended(0).json()).doesNotContain("reason");
  }

  /** Perhaps it never ran: its class was not found, or its first line failed. */
  @Test
  void aProgramThatFailsIsNotValidated() {
    assertThat(ended(1).lines())
        .containsExactly(
            "prevents validation: the program ended with status 1; what it had not done by then is"
                + " not checked",
            "not validated: one thing prevents it");
    assertThat(ended(1).json()).startsWith("{\"exit\":1,\"verdict\":\"not validated\",");
  }

  /** Anomalies of every kind, one with stacks, with what the agent wrote about them. */
  @Test
  void everyFormTellsTheSame() throws IOException {
    CheckReport found = new CheckReport(new CheckedRun(0, List.of(ofEveryKind())));
    Golden.check("check-text", String.join("\n", found.lines()) + "\n");
    Golden.check("check-json", found.json() + "\n");
    Report report = found.report("java -cp . com.acme.Main");
    StringWriter sarif = new StringWriter();
    SarifReport.print(report, Integer.MAX_VALUE, "0.1.0", new PrintWriter(sarif));
    Golden.check("check-sarif", sarif.toString());
    Sarif.requireValid(sarif.toString());
    String page = FindingsPage.of(report, Integer.MAX_VALUE, List.of());
    Golden.check("check-html", page.replaceFirst("(?s)<style>.*</style>", "<style>...</style>"));
  }

  /** The agent says it alone where nobody else does, so it has the same sentences. */
  @Test
  void theVerdictIsTheAgentsOwn() {
    Finding.End end =
        new Finding.End(
            new Site("Hits", "main", "Hits.java", 6, "hits", ""),
            "the first thread",
            List.of(),
            List.of());
    Finding finding =
        new Finding(
            Finding.Type.ANOMALY,
            Finding.Kind.WRITE_WRITE,
            "hits",
            "hits",
            "hits",
            false,
            end,
            end);
    List<Finding> none = List.of();
    List<Finding> one = List.of(finding);
    List<Finding> two = List.of(finding, finding);
    Obstacle clock = new Obstacle("a clock", "Hits.java:9");
    for (List<Finding> anomalies : List.of(none, one, two)) {
      for (List<Finding> lockOrdered : List.of(none, two)) {
        for (List<Obstacle> obstacles : List.of(List.<Obstacle>of(), List.of(clock))) {
          for (List<Finding> masked : List.of(none, one)) {
            for (List<String> trusted : List.of(List.<String>of(), List.of("a", "b"))) {
              Verdict verdict =
                  new Verdict(
                      anomalies, lockOrdered, obstacles, masked, List.of(), List.of(), trusted);
              AnomalyReport report = AnomalyReport.parse(VerdictJson.of(verdict));
              assertThat(new CheckReport(new CheckedRun(0, List.of(report))).lines())
                  .isEqualTo(VerdictText.of(verdict));
            }
          }
        }
      }
    }
  }

  private static AnomalyReport ofEveryKind() {
    Finding.End put =
        end("put", 12, "iteration 3 of the loop at Cache.java:10", List.of("java.lang.Object"));
    Finding.End get =
        new Finding.End(
            new Site(
                "com.acme.Main",
                "lambda$main$0",
                "Main.java",
                7,
                "Cache.rows[*]",
                "java/util/List.get:void"),
            "the first thread",
            List.of(),
            List.of(
                "app//com.acme.Main.lambda$main$0(Main.java:7)",
                "app//com.acme.Main.main(Main.java:5)",
                "com.acme.Generated.run(Unknown Source)"));
    Finding.End unknown = end("<init>", 0, "the thread at Main.java:4", List.of());
    Verdict verdict =
        new Verdict(
            List.of(
                finding(Finding.Type.ANOMALY, Finding.Kind.WRITE_READ, put, get),
                finding(Finding.Type.INCONSISTENT_LOCKING, Finding.Kind.READ_WRITE, unknown, put),
                finding(Finding.Type.MISUSE, Finding.Kind.NOT_ASSOCIATIVE, put, put)),
            List.of(finding(Finding.Type.LOCK_ORDERED, Finding.Kind.WRITE_WRITE, put, put)),
            List.of(
                new Obstacle("call of System.nanoTime(), which reads the clock", "Main.java:9")),
            List.of(finding(Finding.Type.ANOMALY, Finding.Kind.WRITE_WRITE, get, get)),
            List.of(new Mask.Entry("anomaly:Cache.cols", "masks.txt:3")),
            List.of(),
            List.of());
    return AnomalyReport.parse(VerdictJson.of(verdict));
  }

  private static Finding finding(
      Finding.Type type, Finding.Kind kind, Finding.End source, Finding.End sink) {
    return new Finding(
        type, kind, "Cache.rows[*]", "com.acme.Cache.rows", "Cache.rows[3]", false, source, sink);
  }

  private static Finding.End end(String method, int line, String block, List<String> locks) {
    return new Finding.End(
        new Site("com.acme.Cache", method, "Cache.java", line, "Cache.rows[*]", ""),
        block,
        locks,
        List.of());
  }
}
