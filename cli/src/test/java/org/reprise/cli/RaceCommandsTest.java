package org.reprise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.reprise.trace.Rank;
import org.reprise.trace.file.Wire;
import org.reprise.trace.order.NumberedOutcome;
import org.reprise.trace.order.OrderReader;
import org.reprise.trace.run.EventsManifest;
import org.reprise.trace.run.RunDirectory;

/** What the commands that analyse events print. */
@Timeout(120)
class RaceCommandsTest {
  private static final int STATE_AT = 40;
  private static final int CURRENT_CALL_AT = 144;

  @TempDir Path directory;
  private Shell shell = new Shell(Path.of("unset"));

  @BeforeEach
  void record() throws IOException {
    shell = new Shell(directory.resolve("runs"));
    SampleRuns.racing(shell.store());
  }

  @Test
  void aRaceIsOneFindingWithBothEndsOfBothMessages() {
    assertThat(shell.type("races")).isEqualTo(66);
    assertThat(shell.out())
        .isEqualTo(
            """
            ==================
            WARNING: Reprise: message race
              This receive on rank 0, MPI_Recv (event 0), took a message from rank 1 (tag 5, 8 B):
                #0 step1 race.c:1

              Rank 1 sent it by MPI_Send (event 0):
                #0 step1 race.c:1

              It could have taken a message from rank 2 instead (tag 5, 8 B), sent by MPI_Send (event 0):
                #0 step1 race.c:1

              On rank 0.
              It could have got 1 other message instead; a replay must force it.
            SUMMARY: Reprise: message race race.c:1 in step1
            ==================
            race-1: 1 finding
            """);
  }

  @Test
  void aGraphWithoutAQuestionIsCounted() {
    assertThat(shell.type("graph")).isZero();
    assertThat(shell.out())
        .startsWith("3 ranks, ")
        .contains(" messages, ", "ask with --critical-path");
    assertThat(shell.type("graph", "--format", "json")).isZero();
    assertThat(shell.out()).contains("\"ranks\" : 3", "\"messages\" : ", "\"unreceived\" : ");
  }

  @Test
  void whatIsIntendedIsLeftOut() throws IOException {
    Path intended =
        Files.writeString(
            directory.resolve("intended.txt"),
            "message-race:step1\nanomaly:Hits.*\npoll-race:step1\n");
    assertThat(shell.type("races", "--suppressions", intended.toString())).isZero();
    assertThat(shell.out())
        .isEqualTo(
            """
            Note: the suppression 'poll-race:step1' (intended.txt:3) matched nothing
            Suppressed: 1 finding
            race-1: nothing found besides what is suppressed.
            """);
  }

  @Test
  void aReportGoesToAFileInEveryForm() throws IOException {
    for (String form : List.of("text", "json", "sarif", "html")) {
      Path file = directory.resolve("report." + form);
      assertThat(shell.type("races", "--format", form, "-o", file.toString())).isEqualTo(66);
      assertThat(shell.out()).isEmpty();
      assertThat(file).content().contains("race.c");
    }
    Sarif.requireValid(Files.readString(directory.resolve("report.sarif")));
    assertThat(shell.type("races", "-o", directory.resolve("no/where").toString())).isEqualTo(1);
    assertThat(shell.err()).contains("the report cannot be written");
  }

  @Test
  void statisticsCountWhatMustBeRecorded() {
    assertThat(shell.type("races", "--stats", "--format", "json")).isZero();
    assertThat(shell.out()).contains("\"anySource\" : 3", "\"racingReceives\" : 1");
    assertThat(shell.type("races", "--stats")).isZero();
    assertThat(shell.out()).contains("control set");
  }

  @Test
  void aDistilledRunHoldsTheControlSetOnly() {
    assertThat(shell.type("distill")).as(shell.err()).isZero();
    assertThat(shell.out())
        .contains("control set 1 of 3 receives and probes from any source")
        .doesNotContain("besides");
    List<String> outcomes = new ArrayList<>();
    RunDirectory distilled = new RunDirectory(shell.store().home().resolve("race-1-distilled"));
    try (OrderReader order = distilled.openOrder(new Rank(0))) {
      order.forEachRemaining((NumberedOutcome one) -> outcomes.add(one.outcome().toString()));
    }
    assertThat(outcomes).containsExactly("Recv[source=1, tag=OptionalInt.empty]", "Free[count=2]");
    assertThat(shell.type("distill")).isEqualTo(1);
    assertThat(shell.err())
        .contains("there is a run of this name already", "reprise rm HOME/race-1-distilled");
  }

  @Test
  void aRunIsTheSameAsItsDistilledFormAndThatIsSaid() {
    shell.type("distill");
    assertThat(shell.type("diff", "race-1", "race-1-distilled")).isZero();
    assertThat(shell.err())
        .isEqualTo(
            "reprise: race-1-distilled was distilled from race-1: what it leaves free is not"
                + " compared\n");
    assertThat(shell.out()).contains("rank 0: same, 3 outcomes");
    shell.type("show", "race-1-distilled");
    assertThat(shell.out()).containsPattern("distilled +from race-1\n");
  }

  @Test
  void eventsAreListed() {
    assertThat(shell.type("events", "--rank", "0", "--from", "1", "--count", "2")).isZero();
    assertThat(shell.out().lines())
        .satisfiesExactly(
            line -> assertThat(line).contains("recv from 2 (any) tag 5 8 B  at step2 race.c:2"),
            line -> assertThat(line).contains("send to 1 tag 5 8 B  at step3 race.c:3"));
    assertThat(shell.type("events", "--rank", "9")).isEqualTo(1);
    assertThat(shell.err()).contains("rank 9 left no events in race-1");
  }

  @Test
  void aMissingFileOfCallSitesIsNamedOnce() throws IOException {
    RunDirectory run = shell.store().find(Optional.of("race-1"));
    Files.delete(run.sitesFile(new Rank(1)));
    assertThat(shell.type("events")).isZero();
    assertThat(shell.err())
        .isEqualTo("reprise: no source lines for rank 1: HOME/race-1/rank-1.sites is not there\n");
    Files.delete(run.sitesFile(new Rank(2)));
    shell.type("races");
    assertThat(shell.err())
        .isEqualTo(
            "reprise: no source lines for ranks 1, 2: HOME/race-1/rank-1.sites is not there\n");
  }

  @Test
  void aRunDiffersFromItselfNowhere() {
    assertThat(shell.type("diff", "race-1", "race-1", "--events")).isZero();
    assertThat(shell.out()).doesNotContain("it began");
  }

  @Test
  void aRankThatWasCutOffInASendKeepsARunFromBeingDistilled() throws IOException {
    Path order = shell.store().find(Optional.of("race-1")).orderFile(new Rank(1));
    byte[] bytes = Files.readAllBytes(order);
    ByteBuffer header = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    header.putInt(STATE_AT, Wire.State.RUNNING.ordinal());
    header.putInt(CURRENT_CALL_AT, 1 + 3);
    Files.write(order, bytes);
    SampleRuns.keepEvents(shell.store().latest(), EventsManifest.Origin.RECORDED);
    shell.type("races");
    assertThat(shell.out())
        .contains("Note: rank 1 was cut off in MPI_Send: a message of it may be missing");
    assertThat(shell.type("distill")).as(shell.err()).isZero();
    assertThat(shell.err())
        .contains(
            "nothing is left out, because the run ended before all ranks came to MPI_Finalize, and"
                + " what was still to be sent is not known");
    assertThat(shell.out())
        .contains("control set at least 1 of 3 receives and probes from any source")
        .contains("  2 kept besides");
  }
}
