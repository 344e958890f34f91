package org.reprise.viewer.answer;

import java.util.Optional;
import org.reprise.causality.Cut;

/**
 * A cut in words, as {@code reprise graph --cut} takes it: for each rank from how many calls it has
 * returned, with a plus if it is inside the next.
 */
public final class CutText {
  public static String of(Cut cut, int ranks) {
    StringBuilder text = new StringBuilder();
    for (int rank = 0; rank < ranks; rank++) {
      text.append(rank == 0 ? "" : ",").append(cut.returned(rank));
      text.append(cut.begun(rank) > cut.returned(rank) ? "+" : "");
    }
    return text.toString();
  }

  /** The cut that a text names; empty if it names none. */
  public static Optional<Cut> parse(String text, int ranks) {
    String[] parts = text.split(",", -1);
    int[] moments = new int[ranks];
    if (parts.length != ranks) {
      return Optional.empty();
    }
    for (int rank = 0; rank < ranks; rank++) {
      if (!parts[rank].matches("\\d{1,9}\\+?")) {
        return Optional.empty();
      }
      boolean inside = parts[rank].endsWith("+");
      moments[rank] = 2 * Integer.parseInt(parts[rank].replace("+", "")) + (inside ? 1 : 0);
    }
    return Optional.of(new Cut(moments));
  }

  private CutText() {}
}
