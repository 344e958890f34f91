package org.reprise.trace.text;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.reprise.trace.Counted;

/** Numbers in the words that every message uses for them. */
public final class Words {
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

  /** A constant's name as a word: {@code POST_END} is {@code post-end}. */
  public static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** {@code rank 0}, {@code ranks 0, 3, 5 and 12 more}. */
  public static String ranks(List<Integer> ranks) {
    int shown = 8;
    String numbers =
        ranks.stream().limit(shown).map(String::valueOf).collect(Collectors.joining(", "));
    return (ranks.size() == 1 ? "rank " : "ranks ")
        + numbers
        + (ranks.size() > shown ? " and " + (ranks.size() - shown) + " more" : "");
  }

  private Words() {}
}
