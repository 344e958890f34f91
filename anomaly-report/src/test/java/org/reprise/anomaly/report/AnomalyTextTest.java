package org.reprise.anomaly.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the user reads, from the agent as from {@code check}. */
class AnomalyTextTest {
  private final List<Conflict> conflicts = new ArrayList<>();

  @Test
  void aFindingNamesLineMethodCallAndBlockOfBothAccesses() {
    add(Conflict.Type.ANOMALY, "found", 6, "List.add");
    assertThat(lines())
        .containsExactly(
            "WRITE-WRITE found (anomaly, id " + conflicts.get(0).id() + ")",
            "  first: Hits.java:6 in main, List.add(), the first thread",
            "  then: Hits.java:7 in main, List.add(), the thread at Hits.java:3",
            "  what to do: give each block its own, or use one that synchronises itself"
                + " (java.util.concurrent)",
            "1 anomaly");
  }

  @Test
  void eachObjectIsAdvisedOnce() {
    add(Conflict.Type.ANOMALY, "Grid.cells[*]", 3, "");
    add(Conflict.Type.ANOMALY, "Grid.size", 6, "");
    add(Conflict.Type.INCONSISTENT_LOCKING, "Grid.sum", 9, "");
    assertThat(lines().stream().filter(line -> line.startsWith("  what to do: ")))
        .containsExactly(
            "  what to do: give each block its own, or hold one lock wherever it is accessed",
            "  what to do: hold the same lock wherever it is accessed");
  }

  @Test
  void whatToDoAboutAnOrderDependsOnWhatIsOrdered() {
    add(Conflict.Type.LOCK_ORDERED, "System.out", 3, "PrintStream.println");
    add(Conflict.Type.LOCK_ORDERED, "next", 6, "AtomicInteger.getAndIncrement");
    add(Conflict.Type.LOCK_ORDERED, "Grid.last", 9, "");
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
      add(Conflict.Type.ANOMALY, "Scratch.sum", 10 + i, "");
      add(Conflict.Type.ANOMALY, "Scratch.row[*]", 100 + i, "");
    }
    add(Conflict.Type.ANOMALY, "Grid.cells[*]", 3, "");
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
      add(Conflict.Type.ANOMALY, "Scratch.sum", 10 + 2 * i, "");
      add(Conflict.Type.LOCK_ORDERED, "Scratch.last", 30 + 2 * i, "");
    }
    assertThat(lines())
        .contains(
            "  and 4 more like this on Scratch: Scratch.sum (5)",
            "  and 4 more like this on Scratch: Scratch.last (5)",
            "  what to do: order the blocks, or mask it if the order does not matter");
  }

  @Test
  void aMaskThatHidesNothingIsNamedBeforeTheSummaryOfARun() {
    Mask.Entry unmatched = new Mask.Entry("Grid.hist", "masks.txt:3");
    AnomalyVerdict verdict = validated(List.of(unmatched), List.of());
    String summary = "validated: every schedule computes the same on this input";
    assertThat(AnomalyText.ofRun(verdict))
        .containsExactly("the mask 'Grid.hist' (masks.txt:3) matched nothing", summary);
    assertThat(AnomalyText.of(verdict)).containsExactly(summary);
  }

  @Test
  void whatSeveralVirtualMachinesFoundIsAddedUp() {
    add(Conflict.Type.ANOMALY, "data", 4, "");
    assertThat(AnomalyText.of(AnomalyVerdict.ofAll(List.of(verdict(), verdict()))))
        .endsWith("2 anomalies");
    Mask.Entry needed = new Mask.Entry("Grid.hits", "masks.txt:2");
    Mask.Entry typo = new Mask.Entry("Grid.hist", "masks.txt:3");
    AnomalyVerdict both =
        AnomalyVerdict.ofAll(
            List.of(
                validated(List.of(needed, typo), List.of("org.b", "org.a")),
                validated(List.of(typo), List.of("org.a"))));
    assertThat(AnomalyText.ofRun(both))
        .containsExactly(
            typo.complaint(),
            "validated, trusting org.a, org.b: every schedule computes the same on this input");
  }

  private static AnomalyVerdict validated(List<Mask.Entry> unmatched, List<String> trusted) {
    return new AnomalyVerdict(
        List.of(), List.of(), List.of(), List.of(), unmatched, List.of(), trusted);
  }

  @Test
  void whoIsShownNumbersOfVariablesIsToldOnceHowToSeeNames() {
    String hint = "variables are shown by their numbers: compile with -g to see their names";
    add(Conflict.Type.ANOMALY, "Grid.local", 2, "");
    assertThat(lines()).doesNotContain(hint);
    add(Conflict.Type.ANOMALY, "local 3 of main", 3, "");
    add(Conflict.Type.ANOMALY, "parameter 1 of lambda$main$0[*]", 4, "");
    assertThat(lines()).containsOnlyOnce(hint);
  }

  private void add(Conflict.Type type, String variable, int line, String call) {
    conflicts.add(
        new Conflict(
            type,
            Conflict.Kind.WRITE_WRITE,
            variable,
            variable,
            variable,
            false,
            end(line, call, "the first thread"),
            end(line + 1, call, "the thread at Hits.java:3")));
  }

  private static Conflict.End end(int line, String call, String block) {
    return new Conflict.End(
        "Hits", "main", "Hits.java", line, call, Lineage.of(block), List.of(), List.of());
  }

  private AnomalyVerdict verdict() {
    return new AnomalyVerdict(
        conflicts.stream().filter(Conflict::isAnomaly).toList(),
        conflicts.stream().filter(conflict -> !conflict.isAnomaly()).toList(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of());
  }

  private List<String> lines() {
    return AnomalyText.of(verdict());
  }
}
