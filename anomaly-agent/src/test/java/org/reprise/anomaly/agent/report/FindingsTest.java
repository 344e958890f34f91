package org.reprise.anomaly.agent.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.reprise.anomaly.agent.instrument.program.Site;
import org.reprise.anomaly.report.AnomalyVerdict;
import org.reprise.anomaly.report.Conflict;
import org.reprise.anomaly.report.Lineage;
import org.reprise.anomaly.report.Mask;

class FindingsTest {
  @Test
  void twoStatementsThatNothingOrdersAtTimesAreAnAnomalyAndNothingBesides() {
    Findings findings = new Findings();
    findings.add(conflict(Conflict.Type.LOCK_ORDERED));
    findings.add(conflict(Conflict.Type.ANOMALY));
    AnomalyVerdict verdict = findings.verdict(Mask.NONE);
    assertThat(verdict.anomalies()).hasSize(1);
    assertThat(verdict.lockOrdered()).isEmpty();
  }

  /** The site knows the library method with its package, and what becomes of its result. */
  @Test
  void anAccessNamesItsCallInShort() {
    assertThat(conflict(Conflict.Type.ANOMALY).source().call()).isEqualTo("List.add");
  }

  private static Conflict conflict(Conflict.Type type) {
    Conflict.End end =
        new Site("Hits", "main", "Hits.java", 6, "hits", "java/util/List.add:void")
            .end(Lineage.of("the first thread"), List.of(), List.of());
    return new Conflict(type, Conflict.Kind.WRITE_WRITE, "hits", "hits", "hits", false, end, end);
  }
}
