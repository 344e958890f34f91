package org.reprise.anomaly.agent.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.reprise.anomaly.agent.instrument.program.Site;

/** What the user reads, from the agent as from {@code check}. */
class VerdictTextTest {
  private final Findings findings = new Findings();

  @Test
  void aFindingNamesLineMethodCallAndBlockOfBothAccesses() {
    add(Finding.Type.ANOMALY, "found", 6, "java/util/List.add:void");
    assertThat(lines())
        .containsExactly(
            "WRITE-WRITE found (anomaly, id " + findings.findings().iterator().next().id() + ")",
            "  first: Hits.java:6 in main, List.add(), the first thread",
            "  then: Hits.java:7 in main, List.add(), the thread at Hits.java:3",
            "  what to do: give each block its own, or use one that synchronises itself"
                + " (java.util.concurrent)",
            "1 anomaly");
  }

  @Test
  void eachObjectIsAdvisedOnce() {
    add(Finding.Type.ANOMALY, "Grid.cells[*]", 3, "");
    add(Finding.Type.ANOMALY, "Grid.size", 6, "");
    add(Finding.Type.INCONSISTENT_LOCKING, "Grid.sum", 9, "");
    assertThat(lines().stream().filter(line -> line.startsWith("  what to do: ")))
        .containsExactly(
            "  what to do: give each block its own, or hold one lock wherever it is accessed",
            "  what to do: hold the same lock wherever it is accessed");
  }

  @Test
  void whatToDoAboutAnOrderDependsOnWhatIsOrdered() {
    add(Finding.Type.LOCK_ORDERED, "System.out", 3, "java/io/PrintStream.println");
    add(
        Finding.Type.LOCK_ORDERED,
        "next",
        6,
        "java/util/concurrent/atomic/AtomicInteger.getAndIncrement");
    add(Finding.Type.LOCK_ORDERED, "Grid.last", 9, "");
    assertThat(lines())
        .contains(
            "  what to do: print in one block, or mask it if the order does not matter",
            "  what to do: fork a task for each piece of work instead of letting blocks claim them, or"
                + " mask it if the order does not matter",
            "  what to do: order the blocks, or mask it if the order does not matter");
  }

  @Test
  void manyFindingsOnOneObjectAreShownAsOne() {
    for (int i = 0; i < 40; i++) {
      add(Finding.Type.ANOMALY, "Scratch.sum", 10 + i, "");
      add(Finding.Type.ANOMALY, "Scratch.row[*]", 100 + i, "");
    }
    add(Finding.Type.ANOMALY, "Grid.cells[*]", 3, "");
    assertThat(lines())
        .hasSize(4 + 5 + 1)
        .contains(
            "  and 79 more like this on Scratch: Scratch.row[*] (40), Scratch.sum (40)",
            "  what to do: give each block its own, or hold one lock wherever it is accessed",
            "81 anomalies")
        .anyMatch(line -> line.startsWith("WRITE-WRITE Grid.cells[*]"));
  }

  @Test
  void whatIsWrongInAnotherWayIsAGroupOfItsOwn() {
    for (int i = 0; i < 5; i++) {
      add(Finding.Type.ANOMALY, "Scratch.sum", 10 + 2 * i, "");
      add(Finding.Type.LOCK_ORDERED, "Scratch.last", 30 + 2 * i, "");
    }
    assertThat(lines())
        .contains(
            "  and 4 more like this on Scratch: Scratch.sum (5)",
            "  and 4 more like this on Scratch: Scratch.last (5)",
            "  what to do: order the blocks, or mask it if the order does not matter");
  }

  @Test
  void twoStatementsThatNothingOrdersAtTimesAreAnAnomalyAndNothingBesides() {
    add(Finding.Type.LOCK_ORDERED, "data", 4, "");
    add(Finding.Type.ANOMALY, "data", 4, "");
    assertThat(verdict().anomalies()).hasSize(1);
    assertThat(verdict().lockOrdered()).isEmpty();
  }

  @Test
  void whoIsShownNumbersOfVariablesIsToldOnceHowToSeeNames() {
    String hint = "variables are shown by their numbers: compile with -g to see their names";
    add(Finding.Type.ANOMALY, "Grid.local", 2, "");
    assertThat(lines()).doesNotContain(hint);
    add(Finding.Type.ANOMALY, "local 3 of main", 3, "");
    add(Finding.Type.ANOMALY, "parameter 1 of lambda$main$0[*]", 4, "");
    assertThat(lines()).containsOnlyOnce(hint);
  }

  private void add(Finding.Type type, String variable, int line, String call) {
    findings.add(
        new Finding(
            type,
            Finding.Kind.WRITE_WRITE,
            variable,
            variable,
            variable,
            false,
            end(line, variable, call, "the first thread"),
            end(line + 1, variable, call, "the thread at Hits.java:3")));
  }

  private static Finding.End end(int line, String variable, String call, String block) {
    return new Finding.End(
        new Site("Hits", "main", "Hits.java", line, variable, call), block, List.of(), List.of());
  }

  private Verdict verdict() {
    return Verdict.of(findings, Mask.NONE);
  }

  private List<String> lines() {
    return VerdictText.of(verdict());
  }
}
