package org.reprise.debugger;

import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.reprise.trace.UserError;

/** Ranks as users type and read them: {@code 0-3,7}. */
public record RankSet(SortedSet<Integer> ranks) {
  private static final Pattern PART = Pattern.compile("(\\d{1,6})(?:-(\\d{1,6}))?");

  public RankSet {
    ranks = new TreeSet<>(ranks);
  }

  public static RankSet all(int size) {
    SortedSet<Integer> ranks = new TreeSet<>();
    for (int rank = 0; rank < size; rank++) {
      ranks.add(rank);
    }
    return new RankSet(ranks);
  }

  public static RankSet of(Collection<Integer> ranks) {
    return new RankSet(new TreeSet<>(ranks));
  }

  /** Reads a list of ranks, or the word {@code all}. */
  public static RankSet parse(String typed, int size) {
    if (typed.equals("all")) {
      return all(size);
    }
    SortedSet<Integer> ranks = new TreeSet<>();
    for (String part : typed.split(",", -1)) {
      Matcher range = PART.matcher(part.strip());
      int first = range.matches() ? Integer.parseInt(range.group(1)) : -1;
      int last =
          range.matches() && range.group(2) != null ? Integer.parseInt(range.group(2)) : first;
      if (first < 0 || last < first || last >= size) {
        throw new UserError(
            "'" + typed + "' are not ranks of this run",
            "it has ranks 0 to " + (size - 1),
            "give a list like 0-3,7, or all");
      }
      for (int rank = first; rank <= last; rank++) {
        ranks.add(rank);
      }
    }
    return new RankSet(ranks);
  }

  public boolean contains(int rank) {
    return ranks.contains(rank);
  }

  /** {@code rank 3}, {@code ranks 0-5,7}. */
  public String text() {
    return (ranks.size() == 1 ? "rank " : "ranks ") + list();
  }

  /** {@code 0-5,7}. */
  public String list() {
    StringBuilder text = new StringBuilder();
    List<Integer> all = List.copyOf(ranks);
    for (int i = 0; i < all.size(); ) {
      int end = i;
      while (end + 1 < all.size() && all.get(end + 1) == all.get(end) + 1) {
        end++;
      }
      text.append(text.isEmpty() ? "" : ",").append(all.get(i));
      text.append(end == i ? "" : (end == i + 1 ? "," : "-") + all.get(end));
      i = end + 1;
    }
    return text.toString();
  }
}
