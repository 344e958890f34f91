package org.reprise.cli.terminal;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import org.reprise.trace.Counted;
import org.reprise.trace.run.Ending;

/** Numbers and endings in the words that every command uses for them. */
public final class Words {
  /** Those that end programs; the numbers are Linux's on every machine Reprise runs on. */
  private static final Map<Integer, String> SIGNALS =
      Map.of(
          1, "HUP", 2, "INT", 3, "QUIT", 4, "ILL", 6, "ABRT", 7, "BUS", 8, "FPE", 9, "KILL", 11,
          "SEGV", 15, "TERM");

  /** {@code 1 rank}, {@code 2 ranks}. */
  public static String count(long number, String singular) {
    return Counted.of(number, singular);
  }

  public static String count(long number, String singular, String plural) {
    return Counted.of(number, singular, plural);
  }

  /** {@code 812 B}, {@code 4.7 kB}. */
  public static String bytes(long bytes) {
    if (bytes < 1000) {
      return bytes + " B";
    }
    double value = bytes;
    String unit = "";
    for (String next : new String[] {"kB", "MB", "GB", "TB"}) {
      // Rounded first: 999950 is 1.0 MB, not 1000.0 kB.
      if (Math.round(value * 10) < 10_000 && !unit.isEmpty()) {
        break;
      }
      value /= 1000;
      unit = next;
    }
    return String.format(Locale.ROOT, "%.1f %s", value, unit);
  }

  /** {@code 0.5 s}, {@code 75 s}. */
  public static String seconds(Duration duration) {
    double seconds = duration.toMillis() / 1000.0;
    return String.format(Locale.ROOT, seconds < 60 ? "%.1f s" : "%.0f s", seconds);
  }

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

  /** A constant's name as a word: {@code POST_END} is {@code post-end}. */
  public static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private Words() {}
}
