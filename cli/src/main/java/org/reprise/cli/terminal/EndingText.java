package org.reprise.cli.terminal;

import java.util.Map;
import org.reprise.trace.run.Ending;

/** How a run ended, in the words that every command uses for it. */
public final class EndingText {
  /** Those that end programs; the numbers are Linux's on every machine Reprise runs on. */
  private static final Map<Integer, String> SIGNALS =
      Map.of(
          1, "HUP", 2, "INT", 3, "QUIT", 4, "ILL", 6, "ABRT", 7, "BUS", 8, "FPE", 9, "KILL", 11,
          "SEGV", 15, "TERM");

  /** Short, for a column: {@code exit 0}, {@code SEGV}, {@code unfinished}. */
  public static String brief(Ending ending) {
    return switch (ending) {
      case Ending.Exited(int code) -> "exit " + code;
      case Ending.Killed(int signal) -> SIGNALS.getOrDefault(signal, "signal " + signal);
      case Ending.Interrupted _ -> "interrupted";
      case Ending.Unfinished() -> "unfinished";
    };
  }

  /** A sentence without its subject: {@code was killed by signal 11 (SEGV)}. */
  public static String sentence(Ending ending) {
    String words = ending.inWords();
    return ending instanceof Ending.Killed(int signal) && SIGNALS.containsKey(signal)
        ? words + " (" + SIGNALS.get(signal) + ")"
        : words;
  }

  private EndingText() {}
}
