package org.reprise.anomaly.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.reprise.anomaly.agent.Programs.Program;

/** Programs on their own under the agent, as people start them: what both print, and the status. */
class WholeProgramTest {
  private static final int MINUTES_MAX = 5;

  @TempDir private static Path directory;

  private static Path agent = Path.of("");

  @BeforeAll
  static void build() throws IOException {
    agent = AgentJar.build(directory);
    List<Program> programs = new ArrayList<>();
    for (String name :
        List.of("Asking", "Endings", "ManyVirtual", "SerialForm", "Shares", "SharesByName")) {
      Path source = Path.of("src", "test", "programs", "options", name + ".java");
      boolean isRecent = name.equals("ManyVirtual");
      programs.add(new Program("options", name, source, isRecent, List.of()));
    }
    Programs.compile(programs, directory);
  }

  /** What the program printed, what the agent said about it, and the exit status. */
  private record Ended(String out, String err, int status) {}

  private Ended java(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-Xshare:off",
            Programs.FIRST_COMPILER,
            "-cp",
            directory.resolve("options").toString()));
    command.addAll(List.of(arguments));
    Path out = directory.resolve("out.txt");
    Path err = directory.resolve("err.txt");
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    if (!process.waitFor(MINUTES_MAX, TimeUnit.MINUTES)) {
      process.destroyForcibly().waitFor();
      throw new IllegalStateException("the program did not end: " + Files.readString(err));
    }
    return new Ended(Files.readString(out), Files.readString(err), process.exitValue());
  }

  private Ended checked(String... arguments) throws IOException, InterruptedException {
    List<String> all = new ArrayList<>(List.of("-javaagent:" + agent));
    all.addAll(List.of(arguments));
    return java(all.toArray(String[]::new));
  }

  @Test
  void aProgramThatEndsWellIsValidated() throws Exception {
    for (Ended ended : List.of(checked("Endings", "returns"), checked("Endings", "exits", "0"))) {
      assertThat(ended.status()).isZero();
      assertThat(ended.err()).contains("reprise: validated").doesNotContain("prevents");
    }
  }

  @Test
  void whoAsksWhetherAThreadHasEndedMustKnowAlready() throws Exception {
    Ended after = checked("Asking", "after");
    assertThat(after.status()).as(after.err()).isZero();
    assertThat(after.err()).contains("reprise: validated");
    assertThat(checked("Asking", "before").err())
        .contains("call of Thread.isAlive(), which asks whether a thread has ended")
        .contains("reprise: not validated");
  }

  @Test
  void aProgramThatFailsIsNotValidatedAndKeepsItsStatus() throws Exception {
    Ended exited = checked("Endings", "exits", "3");
    assertThat(exited.status()).isEqualTo(3);
    assertThat(exited.err())
        .contains("prevents validation: the program ended with status 3;")
        .contains("reprise: not validated");
    Ended threw = checked("Endings", "throws");
    assertThat(threw.status()).isEqualTo(1);
    assertThat(threw.err())
        .contains("the program ended with an uncaught java.lang.IllegalStateException;")
        .contains("reprise: not validated");
    Ended lostThread = checked("Endings", "thread");
    assertThat(lostThread.status()).isZero();
    assertThat(lostThread.err())
        .contains("prevents validation: a thread that ended with java.lang.IllegalStateException")
        .contains("reprise: not validated");
  }

  @Test
  void whatNobodyWaitsForStandsInTheWayUnlessTheMachineDoes() throws Exception {
    for (String cutShort :
        DealtPrograms.drawn(
            "WholeProgramTest",
            2,
            List.of("task", "stage", "stage at once", "late", "daemon", "busy", "exit"))) {
      Ended ended = checked("Endings", "forgets", cutShort);
      assertThat(ended.err())
          .as(cutShort)
          .containsPattern(
              "prevents validation: 1 (task|thread|stage)( forked at Endings.java:[0-9]+)? need not have ended"
                  + " when the program ends")
          .contains("reprise: not validated: one thing");
    }
    for (String waitedFor :
        DealtPrograms.drawn(
            "WholeProgramTest",
            2,
            List.of("thread", "pool", "latch", "future", "map", "stages", "accepted"))) {
      assertThat(checked("Endings", "forgets", waitedFor).err())
          .as(waitedFor)
          .contains("reprise: validated");
    }
  }

  @Test
  void whatAThreadDidThatSleepsAtTheEndIsChecked() throws Exception {
    assertThat(checked("Endings", "forgets", "asleep").err())
        .contains(" seen[*], for example seen[7]");
  }

  @Test
  void theLastLoopOfAThreadThatStillRunsAtTheEndIsChecked() throws Exception {
    assertThat(checked("Endings", "forgets", "first").err())
        .contains("WRITE-WRITE shared[*]")
        .contains(
            "prevents validation: the program's first thread, which still runs when the program ends");
  }

  @Test
  void manyVirtualThreadsComeToTheirEnd() throws Exception {
    assertThat(checked("ManyVirtual", "20000").err()).contains("reprise: validated");
  }

  @Test
  void withoutNamesOfLocalVariablesTheirNumbersAreShownAndWhereNamesComeFrom() throws Exception {
    Path source = Path.of("src", "test", "programs", "races", "ArrayCopy.java");
    ToolProvider.getSystemJavaCompiler()
        .run(null, null, null, "-d", directory.resolve("options").toString(), source.toString());
    assertThat(checked("ArrayCopy").err())
        .containsPattern("WRITE-WRITE (parameter|local) [0-9]+ of ")
        .containsOnlyOnce("compile with -g to see their names");
  }

  @Test
  void aProgramThatHaltsIsReportedBeforeItDoes() throws Exception {
    Ended failed = checked("Endings", "halts", "4");
    assertThat(failed.status()).isEqualTo(4);
    assertThat(failed.err()).contains("the program ended with status 4;");
    Ended ended = checked("Endings", "halts", "0");
    assertThat(ended.status()).isZero();
    assertThat(ended.err()).contains("reprise: validated");
  }

  @Test
  void aProgramThatNeverRanIsNotValidated() throws Exception {
    Ended ended = checked("NoSuchProgram");
    assertThat(ended.status()).isEqualTo(1);
    assertThat(ended.err())
        .contains("prevents validation: no class of the program was loaded")
        .contains("reprise: not validated");
  }

  @Test
  void anAnalysisDropsReadsOfWhatNothingWritesInParallel() throws Exception {
    String without = java("-javaagent:" + agent + "=explain", "Shares").err();
    assertThat(without).contains("read Shares.factor: checked").contains("Shares.offset (anomaly");
    String with = java("-javaagent:" + agent + "=explain,analyze", "Shares").err();
    String why = "dropped: nothing that runs in parallel writes it";
    assertThat(with)
        .contains("analysis of Shares: of 3 methods that may run, 1 may run in parallel")
        .contains("read Shares.factor: " + why)
        .contains("read Shares.weights: " + why)
        .contains("read Shares.weights[*]: " + why)
        .contains("read Shares.offset: checked")
        .contains("Shares.offset (anomaly");
  }

  @Test
  void anAnalysisDropsNothingWhereItDoesNotKnowTheWholeProgram() throws Exception {
    assertThat(java("-javaagent:" + agent + "=explain,analyze", "SharesByName").err())
        .contains(
            "analysis of SharesByName: nothing is dropped: SharesByName.main calls"
                + " java.lang.Class.forName")
        .doesNotContain("nothing that runs in parallel writes it");
  }

  @Test
  void serialVersionsAndFormsStayAsTheyAre() throws Exception {
    assertThat(checked("SerialForm").out()).isEqualTo(java("SerialForm").out()).isNotEmpty();
  }
}
