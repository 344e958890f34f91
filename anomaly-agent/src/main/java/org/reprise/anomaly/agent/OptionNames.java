package org.reprise.anomaly.agent;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** What the agent's options are called, for whoever misspells one. */
final class OptionNames {
  /** As they are typed, with what follows them. */
  private static final List<String> FORMS =
      List.of(
          "include=PREFIX",
          "exclude=PREFIX",
          "trusting=PREFIX",
          "mask=FILE",
          "report=FILE",
          "stacks",
          "precise",
          "analyze",
          "slice",
          "explain",
          "jitter=SEED");

  /** So many letters may be wrong, missing or too many. */
  private static final int TYPOS_MAX = 2;

  private OptionNames() {}

  /** What is said of a word that is none of them. */
  static String complaint(String word) {
    String suggestion = nearest(word).map(name -> ": did you mean '" + name + "'?").orElse(".");
    return "the agent has no option '"
        + word
        + "'"
        + suggestion
        + " It has "
        + String.join(", ", FORMS);
  }

  private static Optional<String> nearest(String word) {
    return FORMS.stream()
        .map(form -> form.replaceFirst("=.*", ""))
        .min(Comparator.comparingInt(name -> distance(word, name)))
        .filter(name -> distance(word, name) <= TYPOS_MAX);
  }

  /** How many letters are to be changed, left out or put in to make one word of the other. */
  private static int distance(String one, String other) {
    int[] above = new int[other.length() + 1];
    for (int j = 0; j < above.length; j++) {
      above[j] = j;
    }
    for (int i = 1; i <= one.length(); i++) {
      int[] row = new int[above.length];
      row[0] = i;
      for (int j = 1; j < row.length; j++) {
        int changed = above[j - 1] + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
        row[j] = Math.min(changed, 1 + Math.min(above[j], row[j - 1]));
      }
      above = row;
    }
    return above[other.length()];
  }
}
