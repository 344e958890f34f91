package org.reprise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.reprise.launch.AnomalyReport;
import org.reprise.launch.AnomalyReport.End;
import org.reprise.launch.AnomalyReport.Finding;
import org.reprise.launch.AnomalyReport.UnmatchedMask;
import org.reprise.launch.CheckedRun;

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
        report("anomalies", List.of(finding()), List.of(), List.of("a", "1 anomaly"));
    AnomalyReport other =
        report("anomalies", List.of(finding()), List.of(), List.of("b", "1 anomaly"));
    assertThat(new CheckReport(new CheckedRun(0, List.of(one, other))).lines())
        .containsExactly("a", "b", "2 anomalies");
    AnomalyReport trusting =
        report(
            "validated", List.of(), List.of("com.acme"), List.of("validated, trusting com.acme"));
    assertThat(new CheckReport(new CheckedRun(0, List.of(trusting, trusting))).lines())
        .containsExactly(
            "validated, trusting com.acme: every schedule computes the same on this input");
  }

  private static Finding finding() {
    End end = new End("Grid", "main", "Grid.java", 3, "", "the first thread", List.of(), List.of());
    return new Finding("1", "anomaly", "WRITE-WRITE", "hits", "hits", end, end);
  }

  private static CheckReport found(List<String> lines) {
    AnomalyReport report = report("anomalies", List.of(finding()), List.of(), lines);
    return new CheckReport(new CheckedRun(0, List.of(report)));
  }

  private static AnomalyReport report(
      String verdict, List<Finding> anomalies, List<String> trusted, List<String> lines) {
    return new AnomalyReport(
        verdict, anomalies, List.of(), List.of(), List.of(), List.of(), trusted, lines, "{}");
  }

  @Test
  void aMaskThatNoVirtualMachineNeedsIsNamed() {
    UnmatchedMask typo = new UnmatchedMask("Grid.hist", "masks.txt:3");
    UnmatchedMask matchedElsewhere = new UnmatchedMask("Grid.hits", "masks.txt:2");
    CheckReport report =
        new CheckReport(
            new CheckedRun(0, List.of(unmatched(typo, matchedElsewhere), unmatched(typo))));
    assertThat(report.lines())
        .containsExactly(
            "the mask 'Grid.hist' (masks.txt:3) matched nothing",
            "validated: every schedule computes the same on this input");
    assertThat(report.isValidated()).isTrue();
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
    assertThat(ended(1).isValidated()).isFalse();
    assertThat(ended(1).lines())
        .containsExactly(
            "in the way: the program ended with status 1; what it had not done by then is not"
                + " checked",
            "not validated: one thing stands in the way");
    assertThat(ended(1).json()).startsWith("{\"exit\":1,\"verdict\":\"not validated\",");
  }
}
