package org.reprise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
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
            "{\"verdict\":\"validated\"}");
    return new CheckReport(new CheckedRun(status, List.of(validated)));
  }

  @Test
  void aProgramThatEndsWellAndHasNoAnomalyIsValidated() {
    assertThat(ended(0).lines())
        .containsExactly("validated: every schedule computes the same on this input");
    assertThat(ended(0).json()).startsWith("{\"exit\":0,\"verdict\":\"validated\",");
  }

  @Test
  void whoIsShownNumbersOfVariablesIsToldOnceHowToSeeNames() {
    String hint = "variables are shown by their numbers: compile with -g to see their names";
    assertThat(found("local 3 of main", "parameter 1 of lambda$main$0[*]").lines())
        .containsOnlyOnce(hint);
    assertThat(found("Grid.local", "parameter").lines()).doesNotContain(hint);
  }

  private static CheckReport found(String... variables) {
    End end = new End("Grid", "main", "Grid.java", 3, "", "the first thread", List.of(), List.of());
    List<Finding> anomalies =
        Stream.of(variables)
            .map(name -> new Finding("1", "anomaly", "WRITE-WRITE", name, name, end, end))
            .toList();
    AnomalyReport report =
        new AnomalyReport("anomalies", anomalies, List.of(), List.of(), List.of(), List.of(), "{}");
    return new CheckReport(new CheckedRun(0, List.of(report)));
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
        "validated", List.of(), List.of(), List.of(), List.of(), List.of(masks), "{}");
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
            "not validated: see above what is left to chance or stands in the way");
    assertThat(ended(1).json()).startsWith("{\"exit\":1,\"verdict\":\"not validated\",");
  }
}
