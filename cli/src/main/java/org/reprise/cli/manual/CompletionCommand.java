package org.reprise.cli.manual;

import java.util.Locale;
import java.util.concurrent.Callable;
import org.reprise.cli.terminal.Session;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code reprise completion}: the script by which a shell completes Reprise's commands. */
@Command(
    name = "completion",
    mixinStandardHelpOptions = true,
    description = "Prints a script by which a shell completes commands and runs.",
    footerHeading = "%nExample:%n",
    footer = {
      "  source <(reprise completion bash)  # bash and zsh: in ~/.bashrc, ~/.zshrc",
      "  reprise completion fish | source   # fish: in ~/.config/fish/config.fish"
    })
public final class CompletionCommand implements Callable<Integer> {
  /** The shells that can be taught. */
  enum Shell {
    BASH,
    ZSH,
    FISH;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private final Session session;

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "SHELL", description = "One of ${COMPLETION-CANDIDATES}.")
  private Shell shell;

  public CompletionCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    CommandLine root = spec.root().commandLine();
    session
        .terminal()
        .out()
        .print(
            switch (shell) {
              // The script for bash is one for zsh too: it looks who reads it.
              case BASH, ZSH -> BashCompletion.script(root);
              case FISH -> FishCompletion.script(root);
            });
    return 0;
  }
}
