package org.reprise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.reprise.trace.run.LiveRecorder;
import org.reprise.trace.run.RunDescription;
import org.reprise.trace.run.RunDirectory;
import org.reprise.trace.text.Words;

/** What the commands that look at runs print, and what they refuse. */
class RunCommandsTest {
  @TempDir Path directory;
  private Shell shell = new Shell(Path.of("unset"));

  @BeforeEach
  void open() {
    shell = new Shell(directory.resolve("runs"));
  }

  @Test
  void lsShowsTheNewestFirst() throws IOException {
    writeBoth();
    assertThat(shell.type("ls")).isZero();
    Golden.check("ls", shell.out());
    shell.type("ls", "--format", "json");
    Golden.check("ls-json", shell.out());
    shell.type("ls", "--names");
    assertThat(shell.out()).isEqualTo("heat-1\nbank-1\n");
  }

  @Test
  void lsIsCutToATerminalAndOnlyThere() throws IOException {
    writeBoth();
    shell.onTerminal(60, false).type("ls");
    assertThat(shell.out().lines())
        .allMatch(line -> line.length() <= 60)
        .anyMatch(l -> l.endsWith("…"));
    shell.onTerminal(60, true).type("ls");
    assertThat(shell.out()).startsWith("\u001b[1mNAME");
  }

  @Test
  void lsWithoutRunsSaysSoAndIsNoError() {
    assertThat(shell.type("ls")).isZero();
    assertThat(shell.out()).isEmpty();
    assertThat(shell.err()).isEqualTo("no runs in HOME\n");
    shell.type("ls", "--format", "json");
    assertThat(shell.out()).isEqualTo("[ ]\n");
  }

  @Test
  void runsThatFollowAnotherAreListedBelowItInATree() throws IOException {
    RunDirectory bank = SampleRuns.bank(shell.store());
    RunDirectory altered = follow(bank, "rank 0 takes rank 2's message");
    RunDirectory again = follow(altered, "rank 0 takes\nrank 1's message");
    SampleRuns.heat(shell.store());
    assertThat(shell.type("ls", "--tree")).isZero();
    assertThat(shell.out())
        .containsSubsequence("COMMAND OR CHANGE", "bank-1 ", "└ bank-2 ", "  └ bank-3 ")
        .containsPattern("└ bank-2 .* rank 0 takes rank 2's message\n")
        .containsPattern("└ bank-3 .* rank 0 takes\\\\nrank 1's message\n")
        .containsPattern("(?m)^heat-1 .* ./heat");
    shell.type("ls", "--format", "json");
    assertThat(shell.out())
        .contains("\"parent\" : \"bank-2\"", "\"words\" : \"rank 0 takes rank 2's message\"");
    shell.type("show", altered.name());
    assertThat(shell.out()).contains("parent     bank-1\n  change     rank 0 takes rank 2's");
    // Somebody else's file may say anything.
    bank.describe(bank.description().with().follows(again.description(), Optional.empty()).build());
    assertThat(shell.type("ls", "--tree")).isZero();
    assertThat(shell.out().lines()).hasSize(5);
  }

  private RunDirectory follow(RunDirectory parent, String words) {
    RunDescription base = parent.description();
    RunDirectory run = shell.store().create("bank");
    run.describe(
        base.with()
            .name(run.name())
            .follows(base, Optional.of(new RunDescription.Change(words, List.of())))
            .build());
    return run;
  }

  @Test
  void oneDamagedRunDoesNotHideTheOthers() throws IOException {
    writeBoth();
    Files.writeString(shell.store().list().getFirst().descriptionFile(), "{");
    assertThat(shell.type("ls")).isZero();
    assertThat(shell.out()).contains("unreadable", "./heat");
  }

  @Test
  void showTellsOfARunInNumbers() throws IOException {
    writeBoth();
    assertThat(shell.type("show", "bank-1")).isZero();
    Golden.check("show", shell.out());
    shell.type("show", "bank-1", "--format", "json");
    Golden.check("show-json", shell.out());
  }

  @Test
  void showOfManyRanksHasColumnsThatFit() throws IOException {
    writeBoth();
    shell.type("show");
    Golden.check("show-many-ranks", shell.out());
  }

  @Test
  void showListsOutcomesFromWhereItIsAsked() throws IOException {
    SampleRuns.bank(shell.store());
    shell.type("show", "--rank", "0");
    assertThat(shell.out())
        .isEqualTo(
            """
            0 0 recv source=1
            0 1 recv source=2
            0 2 recv source=2
            0 3 recv source=1
            0 4 failed-polls count=17
            0 5 found source=2 tag=5
            """);
    shell.type("show", "--rank", "0", "--from", "3", "--count", "2");
    assertThat(shell.out()).isEqualTo("0 3 recv source=1\n0 4 failed-polls count=17\n");
    shell.type("show", "--rank", "0", "--from", "5", "--format", "json");
    Golden.check("show-rank-json", shell.out());
  }

  @Test
  void showListsInputs() throws IOException {
    SampleRuns.bank(shell.store());
    shell.type("show", "--inputs");
    assertThat(shell.out())
        .isEqualTo(
            """
            0 0 clock monotonic nanos=1500000000
            0 1 time seconds=1700000000
            0 2 random bytes=c0ffee
            0 3 pid pid=4711
            """);
    shell.type("show", "--inputs", "--rank", "0", "--from", "1", "--count", "1");
    assertThat(shell.out()).isEqualTo("0 1 time seconds=1700000000\n");
  }

  @Test
  void showRefusesWhatMakesNoSense() throws IOException {
    SampleRuns.bank(shell.store());
    assertThat(shell.type("show", "--from", "3")).isEqualTo(2);
    assertThat(shell.type("show", "--rank", "-1")).isEqualTo(2);
    assertThat(shell.type("show", "--format", "xml")).isEqualTo(2);
    assertThat(shell.type("show", "--rank", "9")).isEqualTo(1);
    assertThat(shell.err()).startsWith("reprise: rank 9 left nothing in bank-1");
  }

  @Test
  void showTellsWhatWasRunEvenWhereNoRankLeftATrace() throws IOException {
    RunDirectory run = SampleRuns.bank(shell.store());
    for (var rank : run.ranks()) {
      Files.delete(run.orderFile(rank));
    }
    assertThat(shell.type("show")).isZero();
    assertThat(shell.out()).contains("mpirun -n 3 ./bank 'a b'", "bank-1 has zero ranks");
  }

  @Test
  void showOfADamagedRunTellsWhatIsWrongAndIsAnError() throws IOException {
    RunDirectory run = SampleRuns.bank(shell.store());
    Files.write(run.orderFile(run.ranks().getLast()), new byte[0]);
    assertThat(shell.type("show")).isEqualTo(65);
    assertThat(shell.out()).contains("mpirun -n 3 ./bank 'a b'", "rank-2.order");
  }

  @Test
  void diffSaysWhereRunsPart() throws IOException {
    writeBoth();
    SampleRuns.bank(shell.store());
    assertThat(shell.type("diff", "bank-1", "bank-2")).isZero();
    assertThat(shell.out()).endsWith("same order on all 3 ranks\n");
    assertThat(shell.type("diff", "bank-1", "bank-2", "--format", "json")).isZero();
    assertThat(shell.out()).contains("\"same\" : true", "\"is\" : \"same\"");
    assertThat(shell.type("diff", "bank-1", "heat-1", "--format", "json")).isEqualTo(1);
    assertThat(shell.out()).contains("\"same\" : false");
    assertThat(shell.type("diff", "bank-1", "heat-1")).isEqualTo(1);
    assertThat(shell.out())
        .startsWith(
            """
            rank 0: differs
              bank-1: outcome 0, recv source=1
              heat-1: nothing there
            rank 1: same, 0 outcomes
            """)
        .contains("rank 11: only in heat-1");
  }

  @Test
  void rmRemovesAllThatAreNamed() throws IOException {
    writeBoth();
    assertThat(shell.type("rm", "bank-1", "heat-1", "bank-1")).isZero();
    assertThat(shell.out()).isEqualTo("removed bank-1\nremoved heat-1\n");
    assertThat(shell.store().list()).isEmpty();
  }

  @Test
  void rmRemovesNothingIfOneNameIsWrongAndNamesAllThatAre() throws IOException {
    writeBoth();
    assertThat(shell.type("rm", "-f", "nobody")).isZero();
    assertThat(shell.out()).isEmpty();
    assertThat(shell.type("rm", "bank-1", "bank", "nobody")).isEqualTo(1);
    assertThat(shell.err()).startsWith("reprise: there is no run bank, nobody\n");
    assertThat(shell.store().list()).hasSize(2);
  }

  @Test
  void rmLeavesARunThatIsBeingRecordedAndTheOthersToo() throws IOException {
    writeBoth();
    RunDirectory live = SampleRuns.recordedBy(shell.store(), LiveRecorder.self());
    assertThat(shell.type("rm", "bank-1", live.name())).isEqualTo(1);
    assertThat(shell.err()).contains("is still being recorded", "nothing was removed");
    assertThat(shell.store().list()).hasSize(3);
    shell.type("ls");
    assertThat(shell.out()).contains("recording");
  }

  @Test
  void aNameIsCheckedBeforeTheProgramRuns() throws IOException {
    SampleRuns.bank(shell.store());
    assertThat(shell.type("record", "--name=bank-1", "no-such-program")).isEqualTo(1);
    assertThat(shell.err()).contains("of this name already");
    for (String name : new String[] {"latest", "a/b", "", "-x", "..", "x".repeat(201)}) {
      assertThat(shell.type("record", "--name=" + name, "no-such-program")).as(name).isEqualTo(2);
      assertThat(shell.err()).as(name).contains("cannot have this name");
    }
    assertThat(shell.type("distill", "bank-1", "--name=a/b")).isEqualTo(2);
    assertThat(shell.type("enumerate", "-n", "2", "--name=a/b", "No.java")).isEqualTo(2);
  }

  @Test
  void aRunWhoseRecorderWasKilledTellsWhatItsRanksKnew() throws IOException {
    SampleRuns.killedRecorder(shell.store());
    assertThat(shell.type("ls", "--format", "json")).isZero();
    assertThat(shell.out()).contains("\"ended\" : \"unfinished\"", "\"ranks\" : 3");
    assertThat(shell.type("ls")).isZero();
    assertThat(shell.out()).containsPattern(" 3 +unfinished ");
    assertThat(shell.type("show")).isZero();
    assertThat(shell.out())
        .contains("mpirun -n 3 ./lost", "Open MPI 4.1.4", "was never seen to end")
        .contains("rank 2 left no trace");
  }

  @Test
  void aRunWhoseRecorderWasKilledBeforeAnyRankBeganSaysWhatIsMissing() throws IOException {
    RunDirectory run = SampleRuns.killedRecorder(shell.store());
    for (var rank : run.ranks()) {
      Files.delete(run.orderFile(rank));
    }
    assertThat(shell.type("ls")).isZero();
    assertThat(shell.out()).containsPattern(" \\? +unfinished ");
    assertThat(shell.type("show")).isZero();
    assertThat(shell.out())
        .contains(
            "Open MPI 4.1.4", "never finished: the recorder is gone, and no rank left a trace");
  }

  @Test
  void numbersAreRoundedInTheirOwnUnit() {
    assertThat(Words.seconds(Duration.ofMillis(2500))).isEqualTo("2.5 s");
    assertThat(Words.bytes(999)).isEqualTo("999 B");
    assertThat(Words.bytes(999_949)).isEqualTo("999.9 kB");
    assertThat(Words.bytes(999_950)).isEqualTo("1.0 MB");
  }

  private void writeBoth() throws IOException {
    SampleRuns.bank(shell.store());
    SampleRuns.heat(shell.store());
  }
}
