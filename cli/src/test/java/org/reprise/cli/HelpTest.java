package org.reprise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.reprise.cli.manual.ManPage;
import picocli.CommandLine.Model.CommandSpec;

/** Help, manual pages and completion all come from the model of commands. */
class HelpTest {
  @TempDir Path directory;
  private final Shell shell = new Shell(Path.of("/nonexistent/runs"));

  private List<CommandSpec> commands() {
    return ManPage.commands(shell.commandLine());
  }

  @Test
  void theHelpOfRepriseNamesEveryCommand() throws IOException {
    shell.type("--help");
    Golden.check("help", shell.out());
  }

  @Test
  void everyCommandHasADescriptionAndAnExample() {
    for (CommandSpec command : commands()) {
      assertThat(shell.type(command.name(), "--help")).as(command.name()).isZero();
      assertThat(shell.out())
          .as(command.name())
          .contains(
              "Usage: reprise " + command.name(), "Example:\n  ", "reprise " + command.name());
      assertThat(ManPage.summary(command)).as(command.name()).endsWith(".").hasSizeLessThan(66);
      assertThat(command.args())
          .as(command.name())
          .allSatisfy(argument -> assertThat(ManPage.text(argument)).endsWith("."));
    }
  }

  @Test
  void noExampleIsWiderThanATerminal() {
    for (CommandSpec command : commands()) {
      assertThat(command.usageMessage().footer())
          .as(command.name())
          .allSatisfy(line -> assertThat(line).hasSizeLessThan(80));
    }
  }

  @Test
  void replaysHelpShowsTheOtherCommand() throws IOException {
    shell.type("replay", "--help");
    Golden.check("help-replay", shell.out());
  }

  @Test
  void theManualPageOfACommand() throws IOException {
    assertThat(shell.type("man", "replay")).isZero();
    Golden.check("man-replay", shell.out());
  }

  @Test
  void everyManualPageHasItsPartsAndNoStrayMacro() {
    for (CommandSpec command : commands()) {
      shell.type("man", command.name());
      assertThat(shell.out())
          .as(command.name())
          .startsWith(".TH \"REPRISE\\-" + command.name().toUpperCase(Locale.ROOT))
          .contains(".SH \"NAME\"\nreprise\\-" + command.name() + " \\- ")
          .contains(".SH \"SYNOPSIS\"", ".SH \"EXAMPLES\"", ".SH \"SEE ALSO\"");
      // A line that begins with a quote or with an unknown macro would vanish from the page.
      assertThat(shell.out().lines())
          .as(command.name())
          .allMatch(line -> !line.startsWith("'") && !line.isBlank())
          .filteredOn(line -> line.startsWith("."))
          .allMatch(line -> line.matches("\\.(TH|SH|TP|PP|nf|fi)( .*)?"));
    }
  }

  @Test
  void manualPagesAreInstalledAllTogether() throws IOException {
    assertThat(shell.type("man", "--install", directory.toString())).isZero();
    try (Stream<Path> pages = Files.list(directory.resolve("man1"))) {
      assertThat(pages)
          .hasSize(commands().size() + 1)
          .contains(directory.resolve("man1/reprise.1"), directory.resolve("man1/reprise-ls.1"));
    }
  }

  @Test
  void aManualPageThatIsNotThereIsAUsageError() {
    assertThat(shell.type("man", "weather")).isEqualTo(2);
    assertThat(shell.err()).startsWith("reprise: There is no command 'weather'");
  }

  @Test
  void bashCanReadItsCompletion() throws Exception {
    for (String kind : List.of("bash", "zsh")) {
      assertThat(shell.type("completion", kind)).isZero();
      Path script = Files.writeString(directory.resolve(kind), shell.out());
      Process bash =
          new ProcessBuilder("bash", "-n", script.toString()).redirectErrorStream(true).start();
      assertThat(new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
          .isEmpty();
      assertThat(bash.waitFor()).isZero();
    }
    assertThat(shell.out()).contains("bashcompinit");
  }

  @Test
  void bashCompletesCommandsOptionsAndRuns() throws Exception {
    shell.type("completion", "bash");
    Path script = Files.writeString(directory.resolve("completion"), shell.out());
    Path reprise =
        Files.writeString(directory.resolve("reprise"), "#!/bin/sh\necho bank-1 heat-1\n");
    assertThat(reprise.toFile().setExecutable(true)).isTrue();
    assertThat(completions(script, reprise, "rep")).isEqualTo("replay");
    assertThat(completions(script, reprise, "show", "")).isEqualTo("bank-1 heat-1");
    assertThat(completions(script, reprise, "replay", "h")).isEqualTo("heat-1");
    assertThat(completions(script, reprise, "show", "--fo")).isEqualTo("--format");
    assertThat(completions(script, reprise, "ls", "--format", "j")).isEqualTo("json");
  }

  private static String completions(Path script, Path reprise, String... typed) throws Exception {
    String words = "'" + reprise + "' '" + String.join("' '", typed) + "'";
    String program =
        "source "
            + script
            + "; compopt() { :; }; COMP_WORDS=("
            + words
            + "); COMP_CWORD="
            + typed.length
            + "; COMP_LINE=\"${COMP_WORDS[*]}\"; _complete_reprise; "
            + "echo \"${COMPREPLY[@]}\"";
    Process bash = new ProcessBuilder("bash", "-c", program).redirectErrorStream(true).start();
    return new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
  }

  @Test
  void fishGetsOneLineForEachWord() {
    assertThat(shell.type("completion", "fish")).isZero();
    for (CommandSpec command : commands()) {
      assertThat(shell.out()).contains("-f -a '" + command.name() + "'");
    }
    assertThat(shell.out())
        .contains(
            "complete -c reprise -n '__fish_seen_subcommand_from rm' -f -a"
                + " '(reprise ls --names 2>/dev/null)'")
        .contains("-l format -x -a 'text json'");
    // Quotes that do not close would swallow the lines behind them.
    assertThat(shell.out().lines().skip(1))
        .allMatch(line -> line.startsWith("complete -c reprise "))
        .allMatch(line -> quotes(line) % 2 == 0);
  }

  private static long quotes(String line) {
    return line.replace("\\'", "").chars().filter(c -> c == '\'').count();
  }

  @Test
  void anUnknownShellIsAUsageError() {
    assertThat(shell.type("completion", "tcsh")).isEqualTo(2);
    assertThat(shell.type("completion")).isEqualTo(2);
  }
}
