package org.reprise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.reprise.cli.terminal.Terminal;
import org.reprise.trace.file.PrivateFiles;
import org.reprise.trace.run.RunDirectory;
import picocli.CommandLine.Help.Ansi.Style;

/** A run is code: somebody else's is executed only if the user says so. */
class TrustTest {
  private static final int REFUSED = 77;

  @TempDir Path directory;

  private Shell ada = new Shell(Path.of("unset"));
  private Shell bob = new Shell(Path.of("unset"));
  private Path mark = Path.of("unset");

  /** Ada's program leaves a file behind, so that everybody sees when it was run. */
  @BeforeEach
  void record() throws IOException {
    mark = directory.resolve("mark");
    Path program =
        Files.writeString(
            directory.resolve("Marking.java"),
            """
            class Marking {
              public static void main(String[] arguments) throws Exception {
                mpi.MPI.Init(arguments);
                java.nio.file.Files.writeString(java.nio.file.Path.of("%s"), "run");
                mpi.MPI.Finalize();
              }
            }
            """
                .formatted(mark));
    ada = new Shell(Files.createDirectory(directory.resolve("ada")));
    bob = new Shell(Files.createDirectory(directory.resolve("bob")));
    assertThat(ada.type("record", "-n", "2", "--name", "marking", program.toString()))
        .as("%s", ada.err())
        .isZero();
    Files.delete(mark);
  }

  /** What Bob gets from Ada and unpacks. */
  private String handedOver() throws IOException {
    Path from = ada.store().home().resolve("marking");
    Path to = PrivateFiles.createDirectory(bob.store().home().resolve("marking"));
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(file.getFileName()));
      }
    }
    return "marking";
  }

  @ParameterizedTest
  @ValueSource(strings = {"replay", "races"})
  void onesOwnRunIsExecutedWithoutAQuestion(String command) {
    int status = ada.type((command + " marking").split(" "));
    assertThat(status).as("%s", ada.err()).isZero();
    assertThat(mark).exists();
    assertThat(ada.err()).doesNotContain("not your own");
  }

  @ParameterizedTest
  @ValueSource(strings = {"replay", "events", "races", "distill", "graph --critical-path"})
  void aRunOfSomebodyElseIsShownAndNotExecuted(String command) throws IOException {
    assertThat(bob.type((command + " " + handedOver()).split(" "))).isEqualTo(REFUSED);
    assertThat(mark).doesNotExist();
    assertThat(bob.err())
        .contains(
            "reprise: marking is not your own run: it was not recorded by you on this machine",
            "its replay runs: reprise record -n 2 " + directory.resolve("Marking.java"),
            "in directory: ",
            "reprise: the command of marking was not run",
            "add --trust");
    assertThat(bob.store().home().resolve("marking-distilled")).doesNotExist();
  }

  @Test
  void diffExecutesNothingOfSomebodyElseEither() throws IOException {
    assertThat(bob.type("diff", handedOver(), "marking", "--events")).isEqualTo(REFUSED);
    assertThat(mark).doesNotExist();
  }

  @Test
  void trustIsGivenOnTheCommandLine() throws IOException {
    assertThat(bob.type("replay", "--trust", handedOver())).as("%s", bob.err()).isZero();
    assertThat(mark).exists();
    assertThat(bob.err()).contains("its replay runs: ");
  }

  @Test
  void aUserAtATerminalIsAsked() throws IOException {
    String run = handedOver();
    assertThat(bob.onTerminal(80, false).answering("").type("replay", run)).isEqualTo(REFUSED);
    assertThat(bob.err()).contains("run this command? [y/N] ");
    assertThat(mark).doesNotExist();
    assertThat(bob.answering("Yes").type("replay", run)).as("%s", bob.err()).isZero();
    assertThat(mark).exists();
  }

  @Test
  void withoutATerminalNobodyIsAsked() throws IOException {
    assertThat(bob.answering("y").type("replay", handedOver())).isEqualTo(REFUSED);
    assertThat(bob.err()).doesNotContain("[y/N]");
  }

  @Test
  void aChangedCommandIsNotOnesOwnAnyMore() throws IOException {
    RunDirectory run = new RunDirectory(ada.store().home().resolve("marking"));
    String changed =
        Files.readString(run.descriptionFile()).replace("\"-n\", \"2\"", "\"-n\", \"3\"");
    Files.writeString(run.descriptionFile(), changed);
    assertThat(ada.type("replay")).isEqualTo(REFUSED);
    assertThat(mark).doesNotExist();
  }

  @Test
  void noRunMeansThatNothingIsExecuted() {
    assertThat(ada.type("races", "--no-run")).isEqualTo(1);
    assertThat(ada.err())
        .contains("the events of marking can only be learned by a replay", "--no-run");
    assertThat(mark).doesNotExist();
    assertThat(ada.type("events")).isZero();
    assertThat(ada.type("races", "--no-run")).as("%s", ada.err()).isZero();
  }

  @Test
  void whatIsDistilledFromSomebodyElsesRunIsNotOnesOwn() throws IOException {
    assertThat(ada.type("events")).isZero();
    Files.delete(mark);
    assertThat(bob.type("distill", handedOver())).as("%s", bob.err()).isZero();
    assertThat(bob.type("replay", "marking-distilled")).isEqualTo(REFUSED);
    assertThat(mark).doesNotExist();
    assertThat(ada.type("distill", "marking")).isZero();
    assertThat(ada.type("replay", "marking-distilled")).as("%s", ada.err()).isZero();
  }

  @Test
  void aDistillationThatFailsLeavesNothing() throws IOException {
    SampleRuns.racing(ada.store());
    Path description = ada.store().home().resolve("race-1/run.json");
    String whole = Files.readString(description);
    Files.writeString(
        description, whole.replaceFirst("\"callNames\" : \\[[^]]*]", "\"callNames\" : []"));
    assertThat(ada.type("distill", "race-1")).isEqualTo(65);
    assertThat(ada.err()).contains("is damaged", "field \"callNames\" has 0 names");
    Files.writeString(description, whole);
    assertThat(ada.type("distill", "race-1")).as("%s", ada.err()).isZero();
    try (Stream<Path> entries = Files.list(ada.store().home())) {
      assertThat(entries.map(entry -> entry.getFileName().toString()))
          .containsExactlyInAnyOrder("marking", "race-1", "race-1-distilled", "latest", ".state");
    }
  }

  @Test
  void nothingFromARunIsObeyedByATerminal() throws IOException {
    SampleRuns.bank(ada.store());
    Path description = ada.store().home().resolve("bank-1/run.json");
    Files.writeString(
        description,
        Files.readString(description)
            .replace("a b", "\\u001b]52;c;ZXZpbA==\\u0007\\u202e\\nreprise: fine")
            .replace("Open MPI 4.1.4", "\\u001b[2J\\u009b")
            .replace("node1", "\\u001b[31mnode"));
    for (String command : new String[] {"show bank-1", "ls", "show bank-1 --format json"}) {
      assertThat(ada.onTerminal(200, false).type(command.split(" "))).isZero();
      assertThat(ada.out() + ada.err())
          .as(command)
          .contains("\\u001b")
          .doesNotContain("\u001b", "\u0007", "\u009b", "\u202e", "\nreprise: fine");
    }
  }

  @Test
  void onlyOurOwnColoursReachATerminal() {
    StringWriter printed = new StringWriter();
    Terminal terminal =
        new Terminal(new PrintWriter(printed), new PrintWriter(new StringWriter()), true, true);
    terminal.out().print(terminal.out(Style.bold, "a\u001b[31mb") + "\u001b[0m😀");
    terminal.out().flush();
    assertThat(printed.toString())
        .isEqualTo(Style.bold.on() + "a\\u001b[31mb" + Style.reset.on() + "\\u001b[0m😀");
  }
}
