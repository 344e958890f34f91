package org.reprise.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.reprise.analysis.CheckReport;
import org.reprise.anomaly.report.AnomalyJson;
import org.reprise.anomaly.report.AnomalyText;
import org.reprise.anomaly.report.AnomalyVerdict;
import org.reprise.anomaly.report.Conflict;
import org.reprise.anomaly.report.Lineage;
import org.reprise.anomaly.report.Mask;
import org.reprise.anomaly.report.Obstacle;
import org.reprise.findings.Report;
import org.reprise.findings.SarifReport;
import org.reprise.launch.check.AnomalyReport;
import org.reprise.launch.check.CheckedRun;
import org.reprise.trace.UserError;
import org.reprise.viewer.page.AnomaliesPage;

class CheckReportTest {
  private static final AnomalyVerdict VALIDATED =
      new AnomalyVerdict(
          List.of(), List.of(), List.of(), List.of(), List.of(), List.of(), List.of());

  private static CheckReport ended(int status) {
    return found(status, VALIDATED);
  }

  private static CheckReport found(int status, AnomalyVerdict... verdicts) {
    return new CheckReport(
        new CheckedRun(status, Stream.of(verdicts).map(CheckReportTest::writtenAndRead).toList()));
  }

  private static AnomalyReport writtenAndRead(AnomalyVerdict verdict) {
    return AnomalyReport.parse(AnomalyJson.of(verdict));
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
    assertThat(found(0, ofEveryKind()).lines()).isEqualTo(AnomalyText.ofRun(ofEveryKind()));
  }

  @Test
  void whatSeveralVirtualMachinesFoundIsAddedUp() {
    assertThat(found(0, ofEveryKind(), VALIDATED, ofEveryKind()).lines())
        .endsWith("6 anomalies except 2 masked");
  }

  @Test
  void aReportThatSaysWhatNobodyKnowsIsDamaged() {
    String json = AnomalyJson.of(ofEveryKind());
    for (String damaged :
        List.of(
            json.replace("\"type\":\"anomaly\"", "\"type\":\"surprise\""),
            json.replace("WRITE-READ", "SURPRISE"),
            json.replace("\"source\"", "\"sauce\""),
            json.replace("\"verdict\":\"anomalies\"", "\"verdict\":\"validated\""),
            json.replace("\"version\":1", "\"version\":2"))) {
      assertThat(damaged).isNotEqualTo(json);
      assertThatThrownBy(() -> AnomalyReport.parse(damaged))
          .isInstanceOf(UserError.class)
          .hasMessageContaining("the report of the anomaly agent cannot be read");
    }
  }

  @Test
  void whereNobodyReportedTheReasonIsGiven() {
    CheckReport report = new CheckReport(new CheckedRun(0, List.of()));
    String reason = "no virtual machine reported; it was killed, or the command starts none";
    assertThat(report.lines())
        .containsExactly("prevents validation: " + reason, "not validated: one thing prevents it");
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
    CheckReport found = found(0, ofEveryKind());
    Golden.check("check-text", String.join("\n", found.lines()) + "\n");
    Golden.check("check-json", found.json() + "\n");
    Report report = found.report("java -cp . com.acme.Main");
    StringWriter sarif = new StringWriter();
    SarifReport.print(report, Integer.MAX_VALUE, "0.1.0", new PrintWriter(sarif));
    Golden.check("check-sarif", sarif.toString());
    Sarif.requireValid(sarif.toString());
    String page = AnomaliesPage.of(report, Integer.MAX_VALUE, List.of());
    Golden.check(
        "check-html",
        page.replaceFirst("(?s)<style>.*</style>", "<style>...</style>")
            .replaceFirst("(<script type=\"importmap\">).*?</script>", "$1...</script>"));
  }

  private static AnomalyVerdict ofEveryKind() {
    Conflict.End put =
        end("put", 12, "iteration 3 of the loop at Cache.java:10", List.of("java.lang.Object"));
    Conflict.End get =
        new Conflict.End(
            "com.acme.Main",
            "lambda$main$0",
            "Main.java",
            7,
            "List.get",
            Lineage.of("the first thread"),
            List.of(),
            List.of(
                "app//com.acme.Main.lambda$main$0(Main.java:7)",
                "app//com.acme.Main.main(Main.java:5)",
                "com.acme.Generated.run(Unknown Source)"));
    Conflict.End unknown = end("<init>", 0, "the thread at Main.java:4", List.of());
    return new AnomalyVerdict(
        List.of(
            finding(Conflict.Type.ANOMALY, Conflict.Kind.WRITE_READ, put, get),
            finding(Conflict.Type.INCONSISTENT_LOCKING, Conflict.Kind.READ_WRITE, unknown, put),
            finding(Conflict.Type.MISUSE, Conflict.Kind.NOT_ASSOCIATIVE, put, put)),
        List.of(finding(Conflict.Type.LOCK_ORDERED, Conflict.Kind.WRITE_WRITE, put, put)),
        List.of(new Obstacle("call of System.nanoTime(), which reads the clock", "Main.java:9")),
        List.of(finding(Conflict.Type.ANOMALY, Conflict.Kind.WRITE_WRITE, get, get)),
        List.of(new Mask.Entry("anomaly:Cache.cols", "masks.txt:3")),
        List.of(),
        List.of());
  }

  private static Conflict finding(
      Conflict.Type type, Conflict.Kind kind, Conflict.End source, Conflict.End sink) {
    return new Conflict(
        type, kind, "Cache.rows[*]", "com.acme.Cache.rows", "Cache.rows[3]", false, source, sink);
  }

  private static Conflict.End end(String method, int line, String block, List<String> locks) {
    return new Conflict.End(
        "com.acme.Cache", method, "Cache.java", line, "", Lineage.of(block), locks, List.of());
  }
}
