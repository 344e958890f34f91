package org.reprise.launch.verdict;

import java.util.List;
import org.reprise.trace.Rank;

/** Several ranks in words. */
public final class Ranks {
  private static final int NAMED_MAX = 8;

  /** "rank 3", "ranks 0, 1, 5", or "ranks 0, 1, 2, 3, 4, 5, 6, 7 and 24 more". */
  public static String text(List<Rank> ranks) {
    List<String> numbers =
        ranks.stream().limit(NAMED_MAX).map(rank -> Integer.toString(rank.number())).toList();
    String named = (ranks.size() == 1 ? "rank " : "ranks ") + String.join(", ", numbers);
    int more = ranks.size() - numbers.size();
    return more > 0 ? named + " and " + more + " more" : named;
  }

  private Ranks() {}
}
