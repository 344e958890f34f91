package org.reprise.cli.manual;

import org.reprise.cli.option.RunNames;
import picocli.AutoComplete;
import picocli.CommandLine;

/** picocli's completion for bash and zsh, with the names of runs looked up when they are needed. */
public final class BashCompletion {
  /**
   * Asked of the very reprise that is being typed, which need not be on PATH. Run names have no
   * blanks, so the shell may split them; a failing ls completes nothing.
   */
  private static final String RUNS = "$(\"${COMP_WORDS[0]:-reprise}\" ls --names 2>/dev/null)";

  public static String script(CommandLine root) {
    return AutoComplete.bash("reprise", root).replace("\"" + RunNames.MARK + "\"", RUNS);
  }

  private BashCompletion() {}
}
