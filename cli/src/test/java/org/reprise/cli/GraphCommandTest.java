package org.reprise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.reprise.trace.Rank;

/** What {@code reprise graph} answers. */
@Timeout(120)
class GraphCommandTest {
  private static final List<String> QUESTIONS =
      List.of(
          "--past 1:1",
          "--future 1:0",
          "--breakpoint 1:1",
          "--order 2:0 1:1",
          "--order 1:1 2:0",
          "--order 1:0 2:0",
          "--order 2:0 2:0",
          "--cut 1,1,0",
          "--cut 2+,2,0",
          "--critical-path");

  /** As docs/TRACE-FORMAT.md has it. */
  private static final int HOST_AT = 280;

  @TempDir Path directory;
  private Shell shell = new Shell(Path.of("unset"));

  @BeforeEach
  void record() throws IOException {
    shell = new Shell(directory.resolve("runs"));
    SampleRuns.racing(shell.store());
  }

  private int ask(String words) {
    return shell.type(("graph " + words).split(" "));
  }

  @Test
  void everyQuestionIsAnsweredForPeopleAndForScripts() throws IOException {
    for (String format : List.of("text", "json")) {
      StringBuilder all = new StringBuilder();
      for (String question : QUESTIONS) {
        int status = ask(question + " --format " + format);
        assertThat(shell.err()).isEmpty();
        all.append("$ reprise graph ").append(question).append('\n');
        all.append(shell.out()).append("exit status ").append(status).append("\n\n");
      }
      Golden.check("graph-" + format, all.toString());
    }
  }

  @Test
  void clocksOfSeveralHostsAreComparedAsTheyAreAndThatIsSaid() throws IOException {
    assertThat(ask("--critical-path")).isZero();
    assertThat(shell.out()).doesNotContain("hosts");
    Path events = shell.store().find(Optional.of("race-1")).eventsFile(new Rank(2));
    byte[] bytes = Files.readAllBytes(events);
    byte[] host = "elsewhere".getBytes(StandardCharsets.UTF_8);
    System.arraycopy(host, 0, bytes, HOST_AT, host.length);
    Files.write(events, bytes);
    assertThat(ask("--critical-path")).isZero();
    assertThat(shell.out())
        .contains("the ranks were on 2 hosts: as far as their clocks differ, so do these times\n");
    assertThat(ask("--critical-path --format json")).isZero();
    assertThat(shell.out()).contains("\"hosts\" : 2");
  }

  @Test
  void aBreakpointIsAConsistentCutAndOneCallMoreIsWithinItsReach() {
    assertThat(ask("--breakpoint 0:3")).isZero();
    String cut = shell.out().lines().toList().getLast().replace("as a cut: ", "");
    assertThat(cut).isEqualTo("4,3,1");
    assertThat(ask("--cut " + cut)).isZero();
    assertThat(shell.out()).contains("is consistent", "messages under way: 0");
    assertThat(ask("--cut 4,2,1")).isEqualTo(1);
    assertThat(shell.out())
        .contains("0:3 MPI_Recv from 1", "though it waits for 1:2 MPI_Send to 0")
        .endsWith("the furthest within it that is: 3+,2,1\n");
  }

  @Test
  void longListsAreCut() {
    assertThat(ask("--past 0:3 --limit 1")).isZero();
    assertThat(shell.out().lines()).hasSize(3).last().asString().contains("and 2 more (--limit)");
  }

  @Test
  void whatIsNotThereIsSaid() {
    assertThat(ask("--past 3:0")).isEqualTo(1);
    assertThat(shell.err()).contains("there is no rank 3 in race-1", "3 ranks, counted from 0");
    assertThat(ask("--order 0:0 2:1")).isEqualTo(1);
    assertThat(shell.err())
        .contains(
            "there is no event 2:1 in race-1",
            "rank 2 has 1 event, counted from 0",
            "reprise events race-1 --rank 2 lists them");
    assertThat(ask("--cut 1,2")).isEqualTo(1);
    assertThat(shell.err()).contains("a cut has a number for each rank", "2 given, and 3 ranks");
    assertThat(ask("--cut 1,2,1+")).isEqualTo(1);
    assertThat(shell.err()).contains("rank 2 does not come to call 2", "it has 1 event");
  }

  @Test
  void aWrongQuestionIsAUsageError() {
    for (String wrong :
        List.of(
            "--past 3",
            "--past a:b",
            "--order 0:1",
            "--cut 1,,2",
            "--cut 1,-2,0",
            "--past 0:0 --future 0:0",
            "--critical-path --limit -1")) {
      assertThat(ask(wrong)).as(wrong).isEqualTo(2);
    }
    ask("--past 17");
    assertThat(shell.err()).contains("'17' is not an event; give its rank and number, like 2:17");
    ask("--cut 1;2");
    assertThat(shell.err()).contains("'1;2' is not a cut; give a number of calls for each rank");
  }

  /** Of a barrier nobody leaves before all have come; the receive before it took from rank 1. */
  @Test
  void ranksOfAJavaProgramWaitForEachOther() throws IOException {
    Path program =
        Files.writeString(
            directory.resolve("Meet.java"),
            """
            import mpi.*;
            public class Meet {
              public static void main(String[] args) throws Exception {
                MPI.Init(args);
                int[] none = {};
                if (MPI.COMM_WORLD.Rank() == 0) {
                  MPI.COMM_WORLD.Recv(none, 0, 0, MPI.INT, 1, 7);
                } else {
                  MPI.COMM_WORLD.Send(none, 0, 0, MPI.INT, 0, 7);
                }
                MPI.COMM_WORLD.Barrier();
                MPI.Finalize();
              }
            }
            """);
    assertThat(shell.type("record", "-n", "3", program.toString())).as(shell.err()).isZero();
    assertThat(ask("--order 0:2 2:2")).as(shell.err()).isZero();
    assertThat(shell.err()).contains("replaying Meet-1 to learn its events");
    assertThat(shell.out())
        .isEqualTo(
            """
            they wait for each other: neither can return before the other has begun
              0:2 MPI_Barrier, at Meet.main Meet.java:11
              2:2 MPI_Barrier, at Meet.main Meet.java:11
              2:2 MPI_Barrier, at Meet.main Meet.java:11
              0:2 MPI_Barrier, at Meet.main Meet.java:11
            """);
    assertThat(ask("--breakpoint 0:1")).isZero();
    assertThat(shell.out())
        .isEqualTo(
            """
            to stop after 0:1 MPI_Recv from 1, tag 7, at Meet.main Meet.java:7 and what it depends on:
              rank 0 stops after 0:1 MPI_Recv from 1, tag 7, at Meet.main Meet.java:7
              rank 1 stops after 1:1 MPI_Send to 0, tag 7, at Meet.main Meet.java:9
              rank 2 stops before its first call
            as a cut: 2,2,0
            """);
    assertThat(ask("--order 2:1 0:3")).isZero();
    assertThat(shell.out())
        .startsWith("2:1 is before 0:3:\n  2:1 MPI_Send to 0")
        .contains("  2:2 MPI_Barrier", "  0:2 MPI_Barrier")
        .endsWith("  0:3 MPI_Finalize, at Meet.main Meet.java:12\n");
    assertThat(ask("--critical-path")).isZero();
    assertThat(shell.out()).startsWith("critical path: ").contains("MPI_", "Meet.java:");
  }
}
